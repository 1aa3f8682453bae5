// search-assistant, version 1: Find out what is meant, search, answer; with retries and a way out.
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { enqueueActions, setup } from 'xstate';

export const machine = setup({
  guards: {
    'retryCount < maxRetries': guard(({ context }) => lt(context.retryCount, context.maxRetries)),
    'an untaken error': isUntakenError,
  },
  actions: {
    'idle: USER_INPUT': block('root.states.idle.on[0].actions', [
      // userInput: event?.text
      assigns(({ event }) => ({ userInput: event.text ?? null })),
    ]),
    'enter analyzing': block('root.states.analyzing.entry', [
      assigns({ intent: null, error: null }),
    ]),
    'analyzing: INTENT_DETECTED': block('root.states.analyzing.on[0].actions', [
      // intent: event?.intent
      assigns(({ event }) => ({ intent: event.intent ?? null })),
    ]),
    'clarifying: USER_CLARIFICATION': block('root.states.clarifying.on[0].actions', [
      // userInput: event?.text
      assigns(({ event }) => ({ userInput: event.text ?? null })),
    ]),
    'enter searching': block('root.states.searching.entry', [
      // retryCount: retryCount + 1
      assigns(({ context }) => ({ searchResults: [], retryCount: add(context.retryCount, 1) })),
    ]),
    'searching: SEARCH_COMPLETE': block('root.states.searching.on[0].actions', [
      // searchResults: event?.results ?? []
      assigns(({ event }) => ({ searchResults: event.results ?? [], retryCount: 0 })),
    ]),
    'searching: SEARCH_FAILED': block('root.states.searching.on[3].actions', [
      // error: event?.error ?? 'the search failed'
      assigns(({ event }) => ({ error: event.error ?? 'the search failed' })),
    ]),
    'generating: GENERATION_COMPLETE': block('root.states.generating.on[0].actions', [
      // generatedContent: event?.content
      assigns(({ event }) => ({ generatedContent: event.content ?? null })),
    ]),
    'toolCalling: TOOL_SEARCH_TRIGGERED': block('root.states.toolCalling.on[0].actions', [
      assigns({ retryCount: 0 }),
    ]),
    'enter fallingBack': block('root.states.fallingBack.entry', [
      assigns({
        generatedContent: 'I am sorry, the search does not answer. Please try again later.',
      }),
    ]),
    'responding: RESPONSE_SENT': block('root.states.responding.on[0].actions', [
      assigns({
        userInput: null,
        intent: null,
        searchResults: [],
        generatedContent: null,
        retryCount: 0,
        error: null,
      }),
    ]),
    'give up': giveUp,
  },
}).createMachine({
  id: 'search-assistant',
  version: '1',
  description: 'Find out what is meant, search, answer; with retries and a way out.',
  context: {
    userInput: null,
    intent: null,
    searchResults: [],
    generatedContent: null,
    retryCount: 0,
    maxRetries: 3,
    error: null,
  },
  options: { maxIterations: 2000 },
  initial: 'idle',
  on: { '*': { guard: 'an untaken error', actions: 'give up' } },
  states: {
    idle: { on: { USER_INPUT: { target: 'analyzing', actions: 'idle: USER_INPUT' } } },
    analyzing: {
      entry: 'enter analyzing',
      on: {
        INTENT_DETECTED: { target: 'searching', actions: 'analyzing: INTENT_DETECTED' },
        INTENT_UNCLEAR: 'clarifying',
      },
    },
    clarifying: {
      on: {
        USER_CLARIFICATION: { target: 'analyzing', actions: 'clarifying: USER_CLARIFICATION' },
      },
    },
    searching: {
      entry: 'enter searching',
      on: {
        SEARCH_COMPLETE: { target: 'generating', actions: 'searching: SEARCH_COMPLETE' },
        SEARCH_RETRY: { target: 'searching', guard: 'retryCount < maxRetries', reenter: true },
        SEARCH_FAILED: [
          { target: 'searching', guard: 'retryCount < maxRetries', reenter: true },
          { target: 'fallingBack', actions: 'searching: SEARCH_FAILED' },
        ],
      },
    },
    generating: {
      on: {
        GENERATION_COMPLETE: { target: 'responding', actions: 'generating: GENERATION_COMPLETE' },
        TOOL_NEEDED: 'toolCalling',
      },
    },
    toolCalling: {
      on: {
        TOOL_SEARCH_TRIGGERED: {
          target: 'searching',
          actions: 'toolCalling: TOOL_SEARCH_TRIGGERED',
        },
        TOOL_COMPLETE: 'generating',
      },
    },
    fallingBack: { entry: 'enter fallingBack', after: { 500: 'responding' } },
    responding: {
      on: { RESPONSE_SENT: { target: 'idle', actions: 'responding: RESPONSE_SENT' } },
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

// The kind of a value for a message.
function describe(x) {
  if (x === null || x === undefined) return 'null';
  if (Array.isArray(x)) return 'a list';
  if (typeof x === 'number') return Number.isInteger(x) ? 'an integer' : 'a decimal';
  return { boolean: 'a boolean', string: 'text', object: 'an object' }[typeof x];
}

// An expression that fails.
function fail(message) {
  throw new Error(message);
}
