// corners: What needs care on the way to XState.
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { and, enqueueActions, fromPromise, log, not, or, setup, stateIn } from 'xstate';

// What the chart calls the events of its timers.
const timers = {
  'xstate.after.2s.corners.work.first': 'after.work.first:0',
  'xstate.after.1s.corners.work.first': 'after.work.first:1',
};

export const machine = setup({
  actors: {
    'human:approve': fromPromise(async ({ input }) => {
      throw new Error('provide the actor human:approve');
    }),
  },
  guards: {
    'n > 0': guard(({ context }) => gt(context.n, 0)),
    'an event of the chart': isOwnEvent,
    'event.output != null': guard(({ event }) => (event.output ?? null) !== null),
    '{a: n}.a == 1': guard(({ context }) => read({ a: context.n }, 'a') === 1),
    'n matches "(?i)^a-b|[^c]{2,}$"': guard(
      ({ context }) => matches(context.n, /^[Aa]\x2d[Bb]|[^Cc]{2,}$/u),
    ),
    allowed: ({ context, event }, params) => {
      throw new Error('allowed is a guard that Go code registers: say here when it holds');
    },
    'parameters of allowed': made(({ context }) => ({ of: divide(context.n, 0) })),
    'n > 2': guard(({ context }) => gt(context.n, 2)),
    'not (n > 2)': guard(({ context }) => !gt(context.n, 2)),
    'n > 3': guard(({ context }) => gt(context.n, 3)),
    // event.tool in tools and granted(event.tool) and has(event, 'constructor')
    'root.states.work.states.first.on[1].guard': guard(
      ({ event }) =>
        isIn(read(event, 'tool'), ['search', 'files']) && isIn(read(event, 'tool'), ['search', 'files']) && seekEvent(event, 'constructor') !== undefined,
    ),
    'n > 100': guard(({ context }) => gt(context.n, 100)),
    'an untaken error': isUntakenError,
  },
  delays: {
    '2s': 2000,
    '1s': 1000,
  },
  actions: {
    'the root: *': block('root.on[0].actions', [
      // event.type
      logs(({ event }) => event.type),
    ]),
    'the root: error.*': block('root.on[1].actions', [
      // found: event.error?.message ?? event.type
      assigns(({ event }) => ({
        found: seek(seekEvent(event, 'error'), 'message') ?? typeOf(event, timers),
      })),
    ]),
    'work: done.state.corners.work': block('root.states.work.on[0].actions', [
      // found: event.output
      assigns(({ event }) => ({ found: event.output ?? null })),
    ]),
    count: ({ context, event }, params) => {
      throw new Error('count is an action that Go code registers: say here what it does, with assign if it changes data');
    },
    note: ({ context, event }, params) => {
      throw new Error('note is an action that Go code registers: say here what it does, with assign if it changes data');
    },
    'enter work.first': block('root.states.work.states.first.entry', [
      calls('count'),
      calls('note', ({ context }) => ({ of: read(read(context.list, 0), 'id') })),
      // n: n + 1
      assigns(({ context }) => ({ n: add(context.n, 1) })),
    ]),
    'work.first: CHAIN': block('root.states.work.states.first.on[0].actions', [
      // found: list[9]?.owner.name
      // n: let double = n * 2; double + len(list)
      assigns(({ context }) => ({
        found: chain(() => read(step(read(context.list, 9), 'owner'), 'name')),
        n: ((double) => add(double, len(context.list)))(multiply(context.n, 2)),
      })),
      // found: map(filter(list, .done ?? false), {{id: .id, at: #index}})
      assigns(({ context }) => ({
        found: map(filter(context.list, (item) => seek(item, 'done') ?? false), (item, i) => ({ id: read(item, 'id'), at: i })),
      })),
      // found: reduce(list, #acc + len(#.id), 0)
      assigns(({ context }) => ({
        found: reduce(context.list, (item, i, acc) => add(acc, len(read(item, 'id'))), 0),
      })),
      // MADE.id: call-${ id() }
      raises(({ scope }) => ({ type: 'MADE', id: text('call-', newID(scope)) })),
      calls('count'),
      // n
      logs(({ context }) => context.n),
    ]),
    'work.first: TOOL': block('root.states.work.states.first.on[1].actions', [
      // USED: event.data
      sends('parent', ({ event }) => eventOf('USED', dataOf(event))),
    ]),
    'work.first: after 1s': block(
      'root.states.work.states.first.after[1].transitions[0].actions',
      [raises({ type: 'HALF' })],
    ),
    'rest: rest:0 progress': block('root.states.rest.invoke[0].onProgress[0].actions', [
      // event.output
      logs(({ event }) => readEvent(event, 'output')),
    ]),
    'give up': giveUp,
  },
}).createMachine({
  id: 'corners',
  description: 'What needs care on the way to XState.',
  context: { n: 1, list: [{ done: true, id: 'a' }, { id: 'b' }], found: null, 'detent.ids': 0 },
  options: { maxIterations: 2000 },
  initial: 'work',
  on: {
    '*': [
      { guard: and(['an event of the chart', 'n > 0']), actions: 'the root: *' },
      { guard: 'an untaken error', actions: 'give up' },
    ],
    'error.*': { actions: 'the root: error.*' },
    'xstate.error.*': { actions: 'the root: error.*' },
  },
  states: {
    work: {
      initial: 'first',
      on: {
        'xstate.done.state.corners.work': [
          { guard: 'event.output != null', actions: 'work: done.state.corners.work' },
          { target: 'rest', guard: 'n > 3' },
        ],
        HISTORY: '.back',
        IN: {
          target: 'rest',
          guard: and([
            '{a: n}.a == 1',
            or([stateIn('#corners.rest'), 'n matches "(?i)^a-b|[^c]{2,}$"']),
          ]),
        },
        EITHER: {
          target: 'rest',
          guard: or([
            and([
              'parameters of allowed',
              { type: 'allowed', params: ({ context }) => ({ of: divide(context.n, 0) }) },
            ]),
            and([
              'parameters of allowed',
              not({ type: 'allowed', params: ({ context }) => ({ of: divide(context.n, 0) }) }),
              'n > 2',
            ]),
            and([
              'parameters of allowed',
              not({ type: 'allowed', params: ({ context }) => ({ of: divide(context.n, 0) }) }),
              'not (n > 2)',
              stateIn('#corners.rest'),
            ]),
          ]),
        },
        NEITHER: { target: 'rest', guard: not(or(['allowed', stateIn('#corners.rest')])) },
      },
      states: {
        back: { type: 'history', history: 'deep', target: 'second' },
        first: {
          entry: 'enter work.first',
          on: {
            CHAIN: { actions: 'work.first: CHAIN' },
            TOOL: {
              guard: 'root.states.work.states.first.on[1].guard',
              actions: 'work.first: TOOL',
            },
          },
          after: { '2s': 'second', '1s': { actions: 'work.first: after 1s' } },
        },
        second: {
          on: { GO: 'third', BACK: { target: 'first', reenter: true } },
          always: { target: 'third', guard: 'n > 100' },
        },
        third: {
          type: 'final',
          // n: n
          output: ({ context }) => ({ n: context.n }),
        },
      },
    },
    rest: {
      invoke: {
        src: 'human:approve',
        id: 'rest:0',
        // question: Go on with ${ n }?
        input: ({ context }) => ({ question: text('Go on with ', context.n, '?') }),
        onDone: 'work',
      },
      on: { 'progress.invoke.rest:0': { actions: 'rest: rest:0 progress' } },
    },
  },
});

// What follows is the same in every such module: the meaning of its expressions and actions.

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

// The product of two numbers.
function multiply(a, b) {
  return exact(number('*', a) * number('*', b), a, b);
}

// The quotient of two numbers, with its fraction.
function divide(a, b) {
  const [x, y] = [number('/', a), number('/', b)];
  return y === 0 ? fail('division by zero') : finite(x / y);
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

// Whether a number is more than another, or a text comes after another.
function gt(a, b) {
  return compare(a, b) > 0;
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

// Whether a pattern is found in a text.
function matches(a, pattern) {
  return a === null ? false : pattern.test(textual('matches', a));
}

// The elements for which the body is true.
function filter(list, body) {
  return elements(list).filter((x, i) => truth(body(x, i)));
}

// What the body gives for each element.
function map(list, body) {
  return elements(list).map((x, i) => body(x, i));
}

// What the body makes of the elements, one after the other.
function reduce(list, body, ...initial) {
  if (!initial.length && !elements(list).length) fail('an empty list cannot be reduced');
  return elements(list).reduce((acc, x, i) => body(x, i, acc), ...initial);
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
