// ask: A model answers a question, a person says whether the answer will do.
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { enqueueActions, fromPromise, setup } from 'xstate';

export const machine = setup({
  actors: {
    'model:default': fromPromise(async ({ input }) => {
      throw new Error('provide the actor model:default');
    }),
  },
  guards: {
    'attempts < 3': guard(({ context }) => lt(context.attempts, 3)),
    'an untaken error': isUntakenError,
  },
  actions: {
    'enter thinking': block('root.states.thinking.entry', [
      // attempts: attempts + 1
      assigns(({ context }) => ({ attempts: add(context.attempts, 1) })),
    ]),
    'thinking: writer done': block('root.states.thinking.invoke[0].onDone[0].actions', [
      // answer: event.output
      assigns(({ event }) => ({ answer: event.output ?? null })),
    ]),
    'review: REJECT': block('root.states.review.on[1].actions', [
      // remarks: concat(remarks, [event.why])
      assigns(({ context, event }) => ({ remarks: concat(context.remarks, [read(event, 'why')]) })),
    ]),
    'give up': giveUp,
  },
}).createMachine({
  id: 'ask',
  description: 'A model answers a question, a person says whether the answer will do.',
  context: ({ input = null }) => ({
    // input.question
    question: read(input, 'question'),
    answer: null,
    attempts: 0,
    remarks: [],
  }),
  options: { maxIterations: 2000 },
  initial: 'thinking',
  on: { '*': { guard: 'an untaken error', actions: 'give up' } },
  output: ({ event }) => event.output,
  states: {
    thinking: {
      entry: 'enter thinking',
      invoke: {
        // asked of the actor: timeout 30s
        src: 'model:default',
        id: 'writer',
        // prompt: Answer in one sentence: ${ question } Mind: ${ remarks }
        input: ({ context }) => ({
          prompt: text('Answer in one sentence: ', context.question, ' Mind: ', context.remarks),
        }),
        onDone: { target: 'review', actions: 'thinking: writer done' },
        onError: 'failed',
      },
      on: { 'unknown.invoke.writer': 'failed' },
    },
    review: {
      on: {
        APPROVE: 'answered',
        REJECT: [
          { target: 'thinking', guard: 'attempts < 3', actions: 'review: REJECT' },
          { target: 'failed' },
        ],
      },
      after: { 86400000: 'failed' },
    },
    answered: {
      type: 'final',
      // answer: answer
      // attempts: attempts
      output: ({ context }) => ({ answer: context.answer, attempts: context.attempts }),
    },
    failed: { type: 'final', meta: { detent: { status: 'failed' } } },
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

// A result that is an integer where the operands are, and one that JavaScript can tell from its neighbours.
function exact(result, ...operands) {
  if (operands.every(Number.isInteger) && !Number.isSafeInteger(result)) fail('the result is an integer beyond 2^53');
  return finite(result);
}

// A number that is neither infinite nor NaN.
function finite(x) {
  return Number.isFinite(x) ? x : fail('the result is not a finite number');
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

// The lists, one after the other.
function concat(...lists) {
  return lists.flatMap((list) => elements(list));
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
