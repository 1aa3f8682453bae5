// A guard holds when its expression is true; one that fails does not hold.
function guard(test) {
  return (args) => {
    try {
      return truth(test(args));
    } catch {
      return false;
    }
  };
}

// Holds where values can be made at all.
function made(make) {
  return (args) => {
    try {
      make(args);
      return true;
    } catch {
      return false;
    }
  };
}

// Whether something happened in the chart, rather than in the machine that runs it: `*` matches no other event.
function isOwnEvent({ event }) {
  return !event.type.startsWith('xstate.') && !isEngineEvent(event.type);
}

// The names of events that only a machine gives, save those that begin with xstate.
function isEngineEvent(type) {
  return /^(error\.(execution|communication|platform|budget)$|(done\.(state|invoke|do)|error\.(invoke|do)|unknown|progress)\.)/.test(type);
}

// Whether an error of the chart itself arrives where nothing else takes it.
function isUntakenError({ event }) {
  return event.type === 'error.execution' || event.type === 'error.communication';
}

// The end of a machine with an error that nothing takes.
function giveUp({ event }) {
  throw new Error(`nothing takes ${event.type}: ${event.message}`);
}

// A block of actions. One that fails ends the block and raises error.execution; what was done before it stays done.
// After an action of another name the block begins anew with what that made of the data.
function block(place, steps, from = 0) {
  return enqueueActions((args) => {
    const scope = { ...args, place, local: {} };
    scope.scope = scope;
    const call = steps.findIndex((step) => step.called) + 1 || steps.length;
    try {
      run(scope, place, steps.slice(0, call), from);
      if (call < steps.length) scope.enqueue(block(place, steps.slice(call), from + call));
    } catch (error) {
      raiseError(scope, 'action', scope.place, error);
    }
  });
}

// The steps of a block, one after the other.
function run(scope, place, steps, from = 0) {
  steps.forEach((perform, i) => {
    scope.place = `${place}[${from + i}]`;
    perform(scope);
  });
}

// error.execution says what failed where.
function raiseError(scope, kind, place, error) {
  scope.enqueue.raise({ type: 'error.execution', kind, place, message: error.message });
}

// What is written out, or what a function makes of the scope.
function valueIn(scope, value) {
  return typeof value === 'function' ? value(scope) : value;
}

// Changes variables. All values see the data as it was before.
function assigns(values) {
  return (scope) => change(scope, valueIn(scope, values));
}

// New values of variables, which the steps that follow see.
function change(scope, values) {
  scope.enqueue.assign(values);
  scope.context = { ...scope.context, ...values };
}

// Makes a variable of a state that is entered. One that cannot be made is null, and error.execution says so.
function declares(variable, value) {
  return (scope) => {
    let made = null;
    try {
      made = valueIn(scope, value);
    } catch (error) {
      raiseError(scope, 'data', scope.place.replace(/\[\d+\]$/, `.${variable.split('.').at(-1)}`), error);
    }
    change(scope, { [variable]: made });
  };
}

// Evaluates what the machine is about to evaluate itself: error.execution can be raised here only.
function tries(kind, place, value) {
  return (scope) => {
    try {
      value(scope);
    } catch (error) {
      raiseError(scope, kind, place, error);
    }
  };
}

// Raises an event: now, or through the clock after a delay.
function raises(event, options = {}) {
  return (scope) => scope.enqueue.raise(valueIn(scope, event), settings(scope, options));
}

// Sends an event to the machine itself, to its parent, or to an actor by its id or systemId.
function sends(to, event, options = {}) {
  return (scope) => {
    const message = valueIn(scope, event);
    const name = valueIn(scope, to);
    const receiver = receiverOf(scope, name);
    if (receiver) {
      scope.enqueue.sendTo(receiver, message, settings(scope, options));
      return;
    }
    const error = { type: 'error.communication', kind: 'send', event: message.type, to: name, message: `there is no ${name} to send to` };
    scope.enqueue.sendTo(scope.self, error);
  };
}

// The actor that a name stands for.
function receiverOf(scope, name) {
  if (name === 'self') return scope.self;
  if (name === 'parent') return scope.self._parent;
  return scope.self.getSnapshot().children[name] ?? scope.system.get(name);
}

// The delay and the id of an event to come.
function settings(scope, options) {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, valueIn(scope, value)]));
}

// Takes back what was to come under an id.
function cancels(id) {
  return (scope) => scope.enqueue.cancel(valueIn(scope, id));
}

// Gives an event to whoever subscribes.
function emits(event) {
  return (scope) => scope.enqueue.emit(valueIn(scope, event));
}

// Gives a value to the logger.
function logs(value, label) {
  return (scope) => {
    const said = valueIn(scope, value);
    scope.enqueue(log(() => said, label));
  };
}

// Runs an action of another name.
function calls(type, params) {
  const step = (scope) => scope.enqueue(params === undefined ? type : { type, params: valueIn(scope, params) });
  return Object.assign(step, { called: true });
}

// Runs one of two lists of steps.
function when(test, then, otherwise = []) {
  return (scope) => {
    const place = scope.place;
    if (truth(test(scope))) run(scope, `${place}.then`, then);
    else run(scope, `${place}.else`, otherwise);
  };
}

// Runs steps for each element of a list. They see the element and its number under these names.
function forEach(list, names, steps) {
  return (scope) => {
    const { place, local } = scope;
    for (const [i, element] of elements(valueIn(scope, list)).entries()) {
      scope.local = { ...local, ...(names.as && { [names.as]: element }), ...(names.index && { [names.index]: i }) };
      run(scope, `${place}.then`, steps);
    }
    scope.local = local;
  };
}

// Runs steps as a block of their own: an error ends these only.
function apart(steps) {
  return (scope) => {
    const { place, local } = scope;
    try {
      run(scope, `${place}.block`, steps);
    } catch (error) {
      raiseError(scope, 'action', scope.place, error);
    }
    scope.local = local;
  };
}

// The value, or null where it cannot be made.
function orNull(make) {
  return (args) => {
    try {
      return make(args);
    } catch {
      return null;
    }
  };
}

// A delay of a state. One that cannot be computed never ends.
function waits(make) {
  return (args) => {
    try {
      return milliseconds(make(args));
    } catch {
      return 2147483647;
    }
  };
}

// A delay in milliseconds: a number of them, or a duration such as '45s'.
function milliseconds(value) {
  const millis = typeof value === 'string' ? durationOf(value) : value;
  if (typeof millis !== 'number' || Number.isNaN(millis)) fail(`${describe(value)} is no delay`);
  if (millis > 2147483647) fail('a timer of JavaScript waits for 24.8 days at most');
  return Math.max(0, Math.ceil(millis));
}

// The milliseconds of a duration.
function durationOf(text) {
  const units = { ms: 1, us: 1e-3, µs: 1e-3, ns: 1e-6, d: 864e5, h: 36e5, m: 6e4, s: 1e3 };
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ms|us|µs|ns|d|h|m|s)/gy)];
  const sign = /^[+-]/.test(text) ? text[0] : '';
  const rest = text.slice(sign.length);
  if (rest === '0') return 0;
  const found = sign ? [...rest.matchAll(/(\d+\.?\d*|\.\d+)(ms|us|µs|ns|d|h|m|s)/gy)] : parts;
  if (!found.length || found.map(([part]) => part).join('') !== rest) fail(`${quoted(text)} is no delay`);
  const millis = found.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit], 0);
  return sign === '-' ? -millis : millis;
}

// The time in milliseconds, by the machine's clock where it shows one.
function now(self) {
  const clock = self?.clock;
  return typeof clock?.now === 'function' ? Math.floor(clock.now()) : Date.now();
}

// An event with a payload.
function eventOf(type, data) {
  if (data === null) return { type };
  return isObject(data) ? { ...data, type } : { type, data };
}

// What an event carries beside its name.
function payload(event) {
  if (event.type.startsWith('xstate.done.')) return event.output ?? null;
  if (event.type.startsWith('xstate.error.')) return reason(event.error);
  if (event.type === 'xstate.init') return event.input ?? null;
  if (event.type.startsWith('xstate.')) return null;
  const { type, ...data } = event;
  return Object.keys(data).length ? data : null;
}

// The error of an actor as data.
function reason(error) {
  if (error instanceof Error) return { code: 'error', message: error.message, ...error };
  return error ?? null;
}

// The name of an event in the chart, which has other names for what a machine gives.
function typeOf(event, timers = {}) {
  return (Object.hasOwn(timers, event.type) ? timers[event.type] : event.type)
    .replace(/^xstate\.done\.state\./, 'done.state.')
    .replace(/^xstate\.done\.actor\./, 'done.invoke.')
    .replace(/^xstate\.error\.actor\./, 'error.invoke.')
    .replace(/^xstate\.init$/, 'detent.init');
}

// A field of what an event carries, undefined where there is none.
function seekEvent(event, name) {
  const data = payload(event);
  if (name === 'output' && /^(xstate\.done|progress)\./.test(event.type)) return data;
  if (name === 'error' && /^(xstate\.error\.|unknown\.|error\.(execution|communication|platform|budget)$)/.test(event.type)) return data;
  return isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

// A field of what an event carries.
function readEvent(event, name) {
  const value = seekEvent(event, name);
  return value === undefined ? fail(`the event ${quoted(typeOf(event))} has no field ${quoted(name)}`) : value;
}

// All that an event carries, unless it has a field data.
function dataOf(event) {
  const data = seekEvent(event, 'data');
  return data === undefined ? payload(event) : data;
}

// A field, element or character that must be there.
function read(from, key) {
  const value = element(from, key);
  if (value !== undefined) return value;
  return fail(typeof key === 'number' ? `there is no element ${key}` : `there is no field ${quoted(key)}`);
}

// A field, element or character, null where there is none or nothing to read it from.
function look(from, key) {
  return from === null ? null : (element(from, key) ?? null);
}

// A field, element or character, undefined where there is none or nothing to read it from.
function seek(from, key) {
  return from === null || from === undefined ? undefined : element(from, key);
}

// A step of a chain that ends where there is nothing to read from.
function step(from, key) {
  if (from === null) throw END;
  return element(from, key) ?? null;
}

// A chain of steps, null where it ends early.
function chain(walk) {
  try {
    return walk();
  } catch (error) {
    if (error === END) return null;
    throw error;
  }
}

// What ends a chain.
const END = new Error('the chain ends here');

// A field, element or character, undefined where there is none. Negative numbers count from the end.
function element(from, key) {
  if (isObject(from)) {
    if (typeof key !== 'string') fail(`an object's field is named by text, not by ${describe(key)}`);
    return Object.hasOwn(from, key) ? from[key] : undefined;
  }
  if (Array.isArray(from) || typeof from === 'string') {
    if (!Number.isSafeInteger(key)) fail(typeof key === 'string' ? `${describe(from)} has no fields, so no ${quoted(key)}` : `an element is read by an integer, not by ${describe(key)}`);
    return (typeof from === 'string' ? [...from] : from).at(key);
  }
  return fail(typeof key === 'string' ? `${describe(from)} has no field ${quoted(key)}` : `${describe(from)} has no elements`);
}

// A field, element or character, null where there is none.
function get(from, key) {
  return look(from, key);
}

// Whether an object has a field.
function has(object, name) {
  if (object === null || object === undefined) return false;
  if (!isObject(object)) fail(`${describe(object)} has no fields`);
  if (typeof name !== 'string') fail(`a field is named by text, not by ${describe(name)}`);
  return Object.hasOwn(object, name);
}

// A part of a list or text. What lies outside is cut off.
function slice(from, start, end) {
  if (from === undefined) return undefined;
  if (!Array.isArray(from) && typeof from !== 'string') fail(`${describe(from)} cannot be sliced`);
  const parts = typeof from === 'string' ? [...from] : from;
  integer('a slice', start);
  if (end !== undefined) integer('a slice', end);
  const part = parts.slice(start, end);
  return typeof from === 'string' ? part.join('') : part;
}

// A truth value.
function truth(value) {
  return typeof value === 'boolean' ? value : fail(`a boolean is needed, not ${describe(value)}`);
}

// The sum of numbers, or texts joined.
function add(a, b) {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (typeof a !== 'number' || typeof b !== 'number') fail(`"+" needs two numbers or two texts, not ${describe(a)} and ${describe(b)}`);
  return exact(a + b, a, b);
}

// The difference of two numbers.
function subtract(a, b) {
  return exact(number('-', a) - number('-', b), a, b);
}

// The product of two numbers.
function multiply(a, b) {
  return exact(number('*', a) * number('*', b), a, b);
}

// The quotient of two numbers, with its fraction.
function divide(a, b) {
  const [x, y] = [number('/', a), number('/', b)];
  return y === 0 ? fail('division by zero') : finite(x / y);
}

// What is left after a division of integers, with the sign of the first.
function remainder(a, b) {
  const [x, y] = [integer('%', a), integer('%', b)];
  return y === 0 ? fail('division by zero') : x % y;
}

// A number to the power of another.
function power(a, b) {
  return finite(number('**', a) ** number('**', b));
}

// A number with the other sign.
function negate(a) {
  return -number('-', a) + 0;
}

// A result that is an integer where the operands are, and one that JavaScript can tell from its neighbours.
function exact(result, ...operands) {
  if (operands.every(Number.isInteger) && !Number.isSafeInteger(result)) fail('the result is an integer beyond 2^53');
  return finite(result);
}

// A number that is neither infinite nor NaN.
function finite(x) {
  return Number.isFinite(x) ? x : fail('the result is not a finite number');
}

// An operand that must be a number.
function number(what, x) {
  return typeof x === 'number' ? x : fail(`${quoted(what)} needs a number, not ${describe(x)}`);
}

// An operand that must be an integer.
function integer(what, x) {
  return Number.isSafeInteger(x) ? x : fail(`${quoted(what)} needs an integer, not ${describe(x)}`);
}

// An operand that must be text.
function textual(what, x) {
  return typeof x === 'string' ? x : fail(`${quoted(what)} needs text, not ${describe(x)}`);
}

// An operand that must be a list.
function elements(x) {
  return Array.isArray(x) ? x : fail(`a list is needed, not ${describe(x)}`);
}

// An operand that must be an object.
function fields(x) {
  return isObject(x) ? x : fail(`an object is needed, not ${describe(x)}`);
}

// Whether a number is less than another, or a text comes before another.
function lt(a, b) {
  return compare(a, b) < 0;
}

// Whether a number is at most another, or a text comes no later than another.
function lte(a, b) {
  return compare(a, b) <= 0;
}

// Whether a number is more than another, or a text comes after another.
function gt(a, b) {
  return compare(a, b) > 0;
}

// Whether a number is at least another, or a text comes no earlier than another.
function gte(a, b) {
  return compare(a, b) >= 0;
}

// The order of two numbers or two texts: negative, zero or positive.
function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return fail(`${describe(a)} and ${describe(b)} cannot be put in order`);
}

// The order of two texts by their characters.
function compareTexts(a, b) {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < x.length && i < y.length; i++) {
    if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  }
  return x.length - y.length;
}

// Whether two values are equal, with all that is in them.
function same(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

// Whether a list has an element, or an object a field.
function isIn(x, of) {
  if (of === null) return false;
  if (Array.isArray(of)) return of.some((y) => same(x, y));
  if (!isObject(of)) fail(`"in" needs a list or an object on its right, not ${describe(of)}`);
  if (x === null) return false;
  return typeof x === 'string' ? Object.hasOwn(of, x) : fail(`an object's field is named by text, not by ${describe(x)}`);
}

// Whether one text is related to another; with null none is.
function related(what, test, a, b) {
  if (a === null || b === null) return false;
  return test(textual(what, a), textual(what, b));
}

// Whether a text holds another.
function contains(a, b) {
  return related('contains', (x, y) => x.includes(y), a, b);
}

// Whether a text begins with another.
function startsWith(a, b) {
  return related('startsWith', (x, y) => x.startsWith(y), a, b);
}

// Whether a text ends with another.
function endsWith(a, b) {
  return related('endsWith', (x, y) => x.endsWith(y), a, b);
}

// Whether a pattern is found in a text.
function matches(a, pattern) {
  return a === null ? false : pattern.test(textual('matches', a));
}

// The integers from one to another, both included.
function range(from, to) {
  const [low, high] = [integer('..', from), integer('..', to)];
  if (high - low > 1e6) fail('the range is too large');
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
}

// Whether the body is true for every element.
function all(list, body) {
  return elements(list).every((x, i) => truth(body(x, i)));
}

// Whether the body is true for an element.
function any(list, body) {
  return elements(list).some((x, i) => truth(body(x, i)));
}

// Whether the body is true for no element.
function none(list, body) {
  return !any(list, body);
}

// Whether the body is true for exactly one element.
function one(list, body) {
  let found = 0;
  elements(list).some((x, i) => truth(body(x, i)) && ++found > 1);
  return found === 1;
}

// For how many elements the body is true.
function count(list, body = (x) => x) {
  return filter(list, body).length;
}

// The elements for which the body is true.
function filter(list, body) {
  return elements(list).filter((x, i) => truth(body(x, i)));
}

// What the body gives for each element.
function map(list, body) {
  return elements(list).map((x, i) => body(x, i));
}

// The first element for which the body is true, else null.
function find(list, body) {
  const i = elements(list).findIndex((x, k) => truth(body(x, k)));
  return i < 0 ? null : list[i];
}

// The number of the first element for which the body is true, else null.
function findIndex(list, body) {
  const i = elements(list).findIndex((x, k) => truth(body(x, k)));
  return i < 0 ? null : i;
}

// The last element for which the body is true, else null.
function findLast(list, body) {
  const i = findLastIndex(list, body);
  return i === null ? null : list[i];
}

// The number of the last element for which the body is true, else null.
function findLastIndex(list, body) {
  for (let i = elements(list).length - 1; i >= 0; i--) if (truth(body(list[i], i))) return i;
  return null;
}

// An object of lists: the elements by what the body gives.
function groupBy(list, body) {
  const groups = new Map();
  elements(list).forEach((x, i) => {
    const key = keyText(body(x, i));
    groups.set(key, [...(groups.get(key) ?? []), x]);
  });
  return Object.fromEntries(groups);
}

// The text by which a field is named after a value.
function keyText(x) {
  if (x === null || typeof x === 'object') fail(`${describe(x)} cannot name a field`);
  return string(x);
}

// The elements in the order of what the body gives. Equal ones stay as they are.
function sortBy(list, body, order = 'asc') {
  const down = descending(order);
  const pairs = elements(list).map((x, i) => [body(x, i), x]);
  if (pairs.length === 1) compare(pairs[0][0], pairs[0][0]);
  return pairs.sort(([a], [b]) => (down ? compare(b, a) : compare(a, b))).map(([, x]) => x);
}

// Numbers or texts in order.
function sort(list, order = 'asc') {
  return sortBy(list, (x) => x, order);
}

// Whether an order is from the largest down.
function descending(order) {
  if (order !== 'asc' && order !== 'desc') fail('the order is "asc" or "desc"');
  return order === 'desc';
}

// What the body makes of the elements, one after the other.
function reduce(list, body, ...initial) {
  if (!initial.length && !elements(list).length) fail('an empty list cannot be reduced');
  return elements(list).reduce((acc, x, i) => body(x, i, acc), ...initial);
}

// The sum of the numbers, or of what the body gives.
function sum(list, body = (x) => x) {
  return elements(list).reduce((total, x, i) => add(total, number('sum', body(x, i))), 0);
}

// The lists, one after the other.
function concat(...lists) {
  return lists.flatMap((list) => elements(list));
}

// The first element, null of none.
function first(list) {
  return elements(list).length ? list[0] : null;
}

// The last element, null of none; with a number the last so many.
function last(list, n) {
  if (n === undefined) return elements(list).length ? list.at(-1) : null;
  if (integer('last', n) < 0) fail(`${n} elements cannot be taken`);
  return n === 0 ? [] : elements(list).slice(-n);
}

// The first so many elements.
function take(list, n) {
  return integer('take', n) < 0 ? fail(`${n} elements cannot be taken`) : elements(list).slice(0, n);
}

// The elements of a list and of the lists in it, however deep.
function flatten(list) {
  return elements(list).flat(Infinity);
}

// The last element first.
function reverse(list) {
  return [...elements(list)].reverse();
}

// Of equal elements the first.
function uniq(list) {
  return elements(list).filter((x, i) => list.findIndex((y) => same(x, y)) === i);
}

// How many elements, fields or characters there are.
function len(x) {
  if (typeof x === 'string') return [...x].length;
  if (Array.isArray(x)) return x.length;
  return isObject(x) ? Object.keys(x).length : fail(`${describe(x)} has no length`);
}

// The names of an object's fields, sorted.
function keys(object) {
  return Object.keys(fields(object)).sort((a, b) => compareTexts(a, b));
}

// The values of an object's fields, in the order of their names.
function values(object) {
  return keys(object).map((name) => object[name]);
}

// A list of [name, value], in the order of the names.
function toPairs(object) {
  return keys(object).map((name) => [name, object[name]]);
}

// The object of a list of [name, value].
function fromPairs(list) {
  return Object.fromEntries(
    elements(list).map((pair) => {
      if (!Array.isArray(pair) || pair.length !== 2) fail('fromPairs needs pairs [name, value]');
      return [keyText(pair[0]), pair[1]];
    }),
  );
}

// A new object with the fields of both; of one name that of the second counts.
function merge(a, b) {
  return { ...fields(a ?? {}), ...fields(b ?? {}) };
}

// A new object with the value at a path.
function set(object, path, value) {
  return setStep(object, textual('set', path).split('.'), value);
}

// What lies on the way is copied.
function setStep(from, [name, ...rest], value) {
  if (name === undefined) return value;
  if (Array.isArray(from)) {
    if (!/^(0|[1-9]\d*)$/.test(name) || Number(name) >= from.length) fail(`${quoted(name)} is no element of a list of ${from.length}`);
    return from.map((x, i) => (i === Number(name) ? setStep(x, rest, value) : x));
  }
  if (from !== null && !isObject(from)) fail(`${describe(from)} stands in the way at ${quoted(name)}`);
  if (name === '') fail('a step of the path is empty');
  const old = from !== null && Object.hasOwn(from, name) ? from[name] : null;
  return { ...from, [name]: setStep(old, rest, value) };
}

// The kind of a value.
function type(x) {
  if (x === null) return 'nil';
  if (Array.isArray(x)) return 'array';
  if (typeof x === 'number') return Number.isInteger(x) ? 'int' : 'float';
  return { boolean: 'bool', string: 'string', object: 'map' }[typeof x];
}

// Parts joined as text.
function text(...parts) {
  return parts.map((part) => (part === null ? fail('null cannot be put into text') : string(part))).join('');
}

// Text as it is, all else as JSON.
function string(x) {
  return typeof x === 'string' ? x : toJSON(x);
}

// Canonical JSON: sorted keys, no white space.
function toJSON(x) {
  if (typeof x === 'string') return jsonText(x);
  if (typeof x === 'number') return String(x).replace(/e([+-])(\d)$/, 'e$10$2');
  if (Array.isArray(x)) return `[${x.map((y) => toJSON(y)).join(',')}]`;
  if (!isObject(x)) return String(x);
  return `{${keys(x).map((name) => `${jsonText(name)}:${toJSON(x[name])}`).join(',')}}`;
}

// A text as JSON.
function jsonText(x) {
  return `"${x.replace(/["\\]/g, '\\$&').replace(/[\0-\x1f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

// The value of a JSON text.
function fromJSON(x) {
  try {
    return JSON.parse(textual('fromJSON', x), (_, value) => (typeof value === 'number' ? exact(value, value) : value));
  } catch (error) {
    return fail(`the JSON text: ${error.message}`);
  }
}

// A text without white space, or without those characters, at both ends.
function trim(x, characters) {
  const cut = characters === undefined ? [...SPACE] : [...textual('trim', characters)];
  const parts = [...textual('trim', x)];
  while (parts.length && cut.includes(parts[0])) parts.shift();
  while (parts.length && cut.includes(parts.at(-1))) parts.pop();
  return parts.join('');
}

// White space.
const SPACE = '\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

// A text without that beginning.
function trimPrefix(x, prefix = ' ') {
  return hasPrefix(x, prefix) ? x.slice(prefix.length) : x;
}

// A text without that end.
function trimSuffix(x, suffix = ' ') {
  return hasSuffix(x, suffix) ? x.slice(0, x.length - suffix.length) : x;
}

// Whether a text begins with another.
function hasPrefix(x, prefix) {
  return textual('hasPrefix', x).startsWith(textual('hasPrefix', prefix));
}

// Whether a text ends with another.
function hasSuffix(x, suffix) {
  return textual('hasSuffix', x).endsWith(textual('hasSuffix', suffix));
}

// A text in capital letters.
function upper(x) {
  return [...textual('upper', x)].map((c) => ([...c.toUpperCase()].length > 1 ? c : c.toUpperCase())).join('');
}

// A text in small letters.
function lower(x) {
  return [...textual('lower', x)].map((c) => [...c.toLowerCase()][0]).join('');
}

// The parts of a text between the separators, at most n.
function split(x, separator, n = -1) {
  return splitInto(textual('split', x), textual('split', separator), integer('split', n), false);
}

// The parts of a text with the separators that end them, at most n.
function splitAfter(x, separator, n = -1) {
  return splitInto(textual('splitAfter', x), textual('splitAfter', separator), integer('splitAfter', n), true);
}

// Cuts a text; what is left when there are enough parts is the last.
function splitInto(x, separator, n, keep) {
  const parts = separator === '' ? [...x] : x.split(separator);
  const cut = n < 0 || n >= parts.length ? parts : n === 0 ? [] : [...parts.slice(0, n - 1), parts.slice(n - 1).join(separator)];
  return keep ? cut.map((part, i) => (i < cut.length - 1 ? part + separator : part)) : cut;
}

// A text with the first n of a part replaced, or all.
function replace(x, old, by, n = -1) {
  const [whole, part, other] = [x, old, by].map((y) => textual('replace', y));
  const found = part === '' ? [...whole].length + 1 : whole.split(part).length - 1;
  const times = integer('replace', n) < 0 ? found : Math.min(n, found);
  const pieces = part === '' ? ['', ...whole] : whole.split(part);
  return pieces.map((piece, i) => (i === 0 ? piece : part === '' ? (i <= times ? other : '') + piece : (i <= times ? other : part) + piece)).join('') + (part === '' && times === pieces.length ? other : '');
}

// A text so many times, one after the other.
function repeat(x, n) {
  return integer('repeat', n) < 0 ? fail(`text cannot be repeated ${n} times`) : textual('repeat', x).repeat(n);
}

// The texts of a list, with the glue between them.
function join(list, glue = '') {
  return elements(list).map((x) => textual('join', x)).join(textual('join', glue));
}

// Where a part begins first, in characters; -1 if nowhere.
function indexOf(x, part) {
  const i = textual('indexOf', x).indexOf(textual('indexOf', part));
  return i < 0 ? -1 : [...x.slice(0, i)].length;
}

// Where a part begins last, in characters; -1 if nowhere.
function lastIndexOf(x, part) {
  const i = textual('lastIndexOf', x).lastIndexOf(textual('lastIndexOf', part));
  return i < 0 ? -1 : [...x.slice(0, i)].length;
}

// A text in base64.
function toBase64(x) {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(textual('toBase64', x))));
}

// The text that base64 spells.
function fromBase64(x) {
  textual('fromBase64', x);
  try {
    const bytes = Uint8Array.from(atob(x), (c) => c.codePointAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail('the text is no base64 of UTF-8');
  }
}

// A number without its sign.
function abs(x) {
  return Math.abs(number('abs', x));
}

// A number rounded up.
function ceil(x) {
  return Math.ceil(number('ceil', x)) + 0;
}

// A number rounded down.
function floor(x) {
  return Math.floor(number('floor', x));
}

// A number rounded to the nearest, halves away from zero.
function round(x) {
  const whole = Math.trunc(number('round', x));
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole + 0;
}

// A number without its fraction, or a text read, as an integer.
function int(x) {
  const whole = typeof x === 'string' && /^[+-]?\d+$/.test(x) ? Number(x) : Math.trunc(number('int', x)) + 0;
  return Number.isSafeInteger(whole) ? whole : fail('the number does not fit an integer of JavaScript');
}

// A number, or a text read.
function float(x) {
  return typeof x === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(x) ? finite(Number(x)) : number('float', x);
}

// The numbers in values and in the lists among them.
function numbersIn(values) {
  return values.flat(Infinity).map((x) => (typeof x === 'number' ? x : fail(`${describe(x)} is among the numbers`)));
}

// The largest number, null of none.
function max(...values) {
  const found = numbersIn(values);
  return found.length ? found.reduce((a, b) => (b > a ? b : a)) : null;
}

// The smallest number, null of none.
function min(...values) {
  const found = numbersIn(values);
  return found.length ? found.reduce((a, b) => (b < a ? b : a)) : null;
}

// The mean of numbers, 0 of none.
function mean(...values) {
  const found = numbersIn(values);
  return found.length ? finite(found.reduce((a, b) => a + b, 0) / found.length) : 0;
}

// The median of numbers, 0 of none.
function median(...values) {
  const found = numbersIn(values).sort((a, b) => a - b);
  const middle = Math.floor(found.length / 2);
  if (found.length % 2 === 1) return found[middle];
  return found.length ? finite((found[middle - 1] + found[middle]) / 2) : 0;
}

// The bits of integers, which have 64.
function bits(name, a, b) {
  const [x, y] = [BigInt(integer(name, a)), BigInt(integer(name, b))];
  const result = { bitand: x & y, bitor: x | y, bitxor: x ^ y, bitnand: x & ~y }[name];
  return small(result);
}

// An integer that JavaScript can tell from its neighbours.
function small(x) {
  const result = Number(BigInt.asIntN(64, x));
  return Number.isSafeInteger(result) ? result : fail('the result is an integer beyond 2^53');
}

// The bits that both have.
function bitand(a, b) {
  return bits('bitand', a, b);
}

// The bits that either has.
function bitor(a, b) {
  return bits('bitor', a, b);
}

// The bits that one has.
function bitxor(a, b) {
  return bits('bitxor', a, b);
}

// The bits of the first that the second does not have.
function bitnand(a, b) {
  return bits('bitnand', a, b);
}

// All bits the other way.
function bitnot(a) {
  return -integer('bitnot', a) - 1;
}

// How far bits are moved: past 64 places nothing is left of them.
function places(n) {
  return integer('a shift', n) < 0 ? fail(`bits cannot be moved by ${n} places`) : BigInt(Math.min(n, 64));
}

// The bits n places up.
function bitshl(a, n) {
  return small(BigInt(integer('bitshl', a)) << places(n));
}

// The bits n places down, with the sign.
function bitshr(a, n) {
  return small(BigInt(integer('bitshr', a)) >> places(n));
}

// The bits n places down, without the sign.
function bitushr(a, n) {
  return small(BigInt.asUintN(64, BigInt(integer('bitushr', a))) >> places(n));
}

// A new id. Its number is kept with the data.
function newID(scope) {
  const ids = scope.context[IDS] + 1;
  change(scope, { [IDS]: ids });
  return String(ids);
}

// The variable that counts the ids.
const IDS = 'detent.ids';

// Whether a value is an object, and no list.
function isObject(x) {
  return typeof x === 'object' && x !== null && !Array.isArray(x);
}

// The kind of a value for a message.
function describe(x) {
  if (x === null || x === undefined) return 'null';
  if (Array.isArray(x)) return 'a list';
  if (typeof x === 'number') return Number.isInteger(x) ? 'an integer' : 'a decimal';
  return { boolean: 'a boolean', string: 'text', object: 'an object' }[typeof x];
}

// A text for a message.
function quoted(x) {
  return JSON.stringify(x);
}

// An expression that fails.
function fail(message) {
  throw new Error(message);
}
