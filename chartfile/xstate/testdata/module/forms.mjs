// forms, version 2: Every form that a module can say.
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { and, enqueueActions, fromPromise, log, not, or, setup, stateIn } from 'xstate';

const constants = { most: 3, names: { a: 'first', b: 'second' } };

export const machine = setup({
  actors: {
    'tool:${ names.b }': fromPromise(async ({ input }) => {
      throw new Error('provide the actor tool:${ names.b }');
    }),
  },
  guards: {
    'an event of the chart': isOwnEvent,
    "event.count > most and active('idle')": guard(
      ({ event }) => gt(read(event, 'count'), constants.most),
    ),
    'attempts < most': guard(({ context }) => lt(context.attempts, constants.most)),
    'attempts > 5': guard(({ context }) => gt(context.attempts, 5)),
    "total matches '^a'": guard(({ context }) => matches(context.total, /^a/u)),
    "event.error.code == 'busy'": guard(
      ({ event }) => read(reason(event.error), 'code') === 'busy',
    ),
    'an untaken error': isUntakenError,
  },
  delays: {
    patience: 2000,
    // attempts * 500
    backoff: waits(({ context }) => multiply(context.attempts, 500)),
    'len(list) * 10': waits(({ context }) => multiply(len(context.list), 10)),
  },
  actions: {
    'the root: *': block('root.on[0].actions', [
      // event.type
      logs(({ event }) => event.type),
    ]),
    'enter idle': block('root.states.idle.entry', [assigns({ attempts: 0, found: null })]),
    'exit idle': block('root.states.idle.exit', [logs('leaving', 'debug')]),
    'idle: GO': block('root.states.idle.on[0].actions', [
      // total: total + event.count
      // found: event?.what ?? names.a
      assigns(({ context, event }) => ({
        total: add(context.total, read(event, 'count')),
        found: event.what ?? read(constants.names, 'a'),
      })),
    ]),
    'idle: GO 2': block('root.states.idle.on[2].actions', [raises({ type: 'NEVER' })]),
    'idle: error.execution': block('root.states.idle.on[4].actions', [
      // found: event.error.message
      assigns(({ event }) => ({ found: read(readEvent(event, 'error'), 'message') })),
    ]),
    'data of work.left.l1': block('root.states.work.states.left.states.l1.context', [
      // seen: len(list)
      declares('seen', ({ context }) => len(context.list)),
    ]),
    'check work.left.l1': block('root.states.work.states.left.states.l1', [
      tries(
        'action',
        'root.states.work.states.left.states.l1.after[1]',
        ({ context }) => milliseconds(multiply(context.attempts, 500)),
      ),
    ]),
    'work.left.l1: NEXT': block('root.states.work.states.left.states.l1.on[0].actions', [
      // total: total + seen
      assigns(({ context }) => ({ total: add(context.total, context.seen) })),
    ]),
    'check work.left.l2': block('root.states.work.states.left.states.l2', [
      tries(
        'data',
        'root.states.work.states.left.states.l2.output',
        ({ context }) => divide(context.total, 2),
      ),
    ]),
    'check work.right.r1': block('root.states.work.states.right.states.r1', [
      tries(
        'action',
        'root.states.work.states.right.states.r1.after[1]',
        ({ context }) => milliseconds(multiply(len(context.list), 10)),
      ),
    ]),
    'work.right.r1: SUM': block('root.states.work.states.right.states.r1.on[0].actions', [
      // foreach item of list
      forEach(({ context }) => context.list, { as: 'item', index: 'i' }, [
        // total: total + item * i
        assigns(({ context, local }) => ({
          total: add(context.total, multiply(local.item, local.i)),
        })),
      ]),
      // if any(list, # > 1) and total > 0
      when(
        ({ context }) => any(context.list, (item) => gt(item, 1)) && gt(context.total, 0),
        [
          // BIG.total: total
          // delay: total
          raises(({ context }) => ({ type: 'BIG', total: context.total }), {
            delay: ({ context }) => milliseconds(context.total),
            id: 'big',
          }),
        ],
        [cancels('big')],
      ),
      // text: sum ${ total }
      emits(({ context }) => ({ type: 'summed', text: text('sum ', context.total) })),
      // LATER: {a: total}
      sends('self', ({ context }) => eventOf('LATER', { a: context.total }), { delay: 1000 }),
    ]),
    'finished: save done': block('root.states.finished.invoke[0].onDone[0].actions', [
      // found: event.output
      assigns(({ event }) => ({ found: event.output ?? null })),
    ]),
    'give up': giveUp,
  },
}).createMachine({
  id: 'forms',
  version: '2',
  description: 'Every form that a module can say.',
  context: () => ({
    attempts: 0,
    // most + 1
    total: add(constants.most, 1),
    list: [1, 2],
    found: null,
    own: 0,
    seen: null,
  }),
  options: { maxIterations: 2000 },
  initial: 'idle',
  on: {
    '*': [
      { guard: 'an event of the chart', actions: 'the root: *' },
      { guard: 'an untaken error', actions: 'give up' },
    ],
    RESET: '.idle',
  },
  output: ({ event }) => event.output,
  states: {
    idle: {
      description: 'Nothing to do.',
      tags: ['calm'],
      entry: 'enter idle',
      exit: 'exit idle',
      on: {
        GO: [
          { target: 'work', guard: "event.count > most and active('idle')", actions: 'idle: GO' },
          { target: 'work', guard: and(['attempts < most', not(stateIn('#forms.work.left.l2'))]) },
          { guard: or([stateIn('#forms.work.left.l2'), 'attempts > 5']), actions: 'idle: GO 2' },
        ],
        FORBIDDEN: {},
        'error.execution': { actions: 'idle: error.execution' },
      },
    },
    work: {
      type: 'parallel',
      on: { BACK: { target: 'idle', reenter: true } },
      onDone: 'finished',
      states: {
        left: {
          initial: 'l1',
          states: {
            l1: {
              entry: ['data of work.left.l1', 'check work.left.l1'],
              on: { NEXT: { target: 'l2', actions: 'work.left.l1: NEXT' } },
              after: { patience: 'l2', backoff: 'l2' },
            },
            l2: {
              type: 'final',
              entry: 'check work.left.l2',
              // total / 2
              output: orNull(({ context }) => divide(context.total, 2)),
            },
          },
        },
        right: {
          initial: 'r1',
          states: {
            r1: {
              entry: 'check work.right.r1',
              on: { SUM: { actions: 'work.right.r1: SUM' } },
              after: { 100: 'r2', 'len(list) * 10': 'r2' },
            },
            r2: { always: [{ target: 'r3', guard: "total matches '^a'" }, { target: 'r3' }] },
            r3: { type: 'final' },
          },
        },
      },
    },
    finished: {
      invoke: {
        // asked of the actor: mode at_most_once, timeout 10s
        src: 'tool:${ names.b }',
        id: 'save',
        // total: total
        input: ({ context }) => ({
          input: { total: context.total },
          src: text('tool:', read(constants.names, 'b')),
        }),
        onDone: { target: 'over', actions: 'finished: save done' },
        onError: [{ target: 'idle', guard: "event.error.code == 'busy'" }, { target: 'over' }],
      },
      on: { 'unknown.invoke.save': 'over' },
    },
    over: {
      type: 'final',
      meta: { detent: { status: 'failed' } },
      // found: found
      // total: total
      output: ({ context }) => ({ found: context.found, total: context.total }),
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

// A field, element or character that must be there.
function read(from, key) {
  const value = element(from, key);
  if (value !== undefined) return value;
  return fail(typeof key === 'number' ? `there is no element ${key}` : `there is no field ${quoted(key)}`);
}

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

// Whether a number is less than another, or a text comes before another.
function lt(a, b) {
  return compare(a, b) < 0;
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

// Whether a pattern is found in a text.
function matches(a, pattern) {
  return a === null ? false : pattern.test(textual('matches', a));
}

// Whether the body is true for an element.
function any(list, body) {
  return elements(list).some((x, i) => truth(body(x, i)));
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
