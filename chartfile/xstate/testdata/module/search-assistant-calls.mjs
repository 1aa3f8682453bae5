// search-assistant-calls, version 1: The search assistant with its calls declared. States and events are the same.
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { enqueueActions, fromPromise, setup } from 'xstate';

export const machine = setup({
  actors: {
    'model:intent': fromPromise(async ({ input }) => {
      throw new Error('provide the actor model:intent');
    }),
    'tool:search': fromPromise(async ({ input }) => {
      throw new Error('provide the actor tool:search');
    }),
    'model:writer': fromPromise(async ({ input }) => {
      throw new Error('provide the actor model:writer');
    }),
    'tool:${ wanted }': fromPromise(async ({ input }) => {
      throw new Error('provide the actor tool:${ wanted }');
    }),
    'tool:reply': fromPromise(async ({ input }) => {
      throw new Error('provide the actor tool:reply');
    }),
  },
  guards: {
    'event.output.confidence >= 0.8': guard(
      ({ event }) => gte(read(event.output ?? null, 'confidence'), 0.8),
    ),
    'retryCount < maxRetries': guard(({ context }) => lt(context.retryCount, context.maxRetries)),
    "event.error?.code == 'rate_limited' and retryCount < maxRetries": guard(
      ({ context, event }) =>
        look(reason(event.error), 'code') === 'rate_limited' && lt(context.retryCount, context.maxRetries),
    ),
    'event.output?.tool != nil': guard(({ event }) => look(event.output ?? null, 'tool') !== null),
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
    'analyzing: detector done': block('root.states.analyzing.invoke[0].onDone[0].actions', [
      // INTENT_DETECTED.intent: event.output
      raises(({ event }) => ({ type: 'INTENT_DETECTED', intent: event.output ?? null })),
    ]),
    'analyzing: detector done 2': block('root.states.analyzing.invoke[0].onDone[1].actions', [
      raises({ type: 'INTENT_UNCLEAR' }),
    ]),
    'analyzing: detector failed': block('root.states.analyzing.invoke[0].onError[0].actions', [
      raises({ type: 'INTENT_UNCLEAR' }),
    ]),
    'analyzing: detector unknown': block(
      'root.states.analyzing.invoke[0].onUnknown[0].actions',
      [raises({ type: 'INTENT_UNCLEAR' })],
    ),
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
    'searching: searcher done': block('root.states.searching.invoke[0].onDone[0].actions', [
      // SEARCH_COMPLETE.results: event.output
      raises(({ event }) => ({ type: 'SEARCH_COMPLETE', results: event.output ?? null })),
    ]),
    'searching: searcher failed': block('root.states.searching.invoke[0].onError[0].actions', [
      raises({ type: 'SEARCH_RETRY' }),
    ]),
    'searching: searcher failed 2': block('root.states.searching.invoke[0].onError[1].actions', [
      // SEARCH_FAILED.error: event.error?.message ?? 'no answer'
      raises(({ event }) => ({
        type: 'SEARCH_FAILED',
        error: seek(reason(event.error), 'message') ?? 'no answer',
      })),
    ]),
    'searching: searcher unknown': block(
      'root.states.searching.invoke[0].onUnknown[0].actions',
      [raises({ type: 'SEARCH_FAILED', error: 'no answer' })],
    ),
    'generating: GENERATION_COMPLETE': block('root.states.generating.on[0].actions', [
      // generatedContent: event?.content
      assigns(({ event }) => ({ generatedContent: event.content ?? null })),
    ]),
    'generating: writer done': block('root.states.generating.invoke[0].onDone[0].actions', [
      // TOOL_NEEDED.tool: event.output.tool
      raises(({ event }) => ({ type: 'TOOL_NEEDED', tool: read(event.output ?? null, 'tool') })),
    ]),
    'generating: writer done 2': block('root.states.generating.invoke[0].onDone[1].actions', [
      // GENERATION_COMPLETE.content: event.output?.content
      raises(({ event }) => ({
        type: 'GENERATION_COMPLETE',
        content: look(event.output ?? null, 'content'),
      })),
    ]),
    'data of toolCalling': block('root.states.toolCalling.context', [
      // wanted: event?.tool ?? 'search'
      declares('wanted', ({ event }) => seekEvent(event, 'tool') ?? 'search'),
    ]),
    'enter toolCalling': block('root.states.toolCalling.entry', [
      // if wanted == 'search'
      when(({ context }) => context.wanted === 'search', [
        raises({ type: 'TOOL_SEARCH_TRIGGERED' }),
      ]),
    ]),
    'toolCalling: TOOL_SEARCH_TRIGGERED': block('root.states.toolCalling.on[0].actions', [
      assigns({ retryCount: 0 }),
    ]),
    'toolCalling: helper done': block('root.states.toolCalling.invoke[0].onDone[0].actions', [
      // searchResults: concat(searchResults, [event.output])
      assigns(({ context, event }) => ({
        searchResults: concat(context.searchResults, [event.output ?? null]),
      })),
      raises({ type: 'TOOL_COMPLETE' }),
    ]),
    'toolCalling: helper failed': block('root.states.toolCalling.invoke[0].onError[0].actions', [
      raises({ type: 'TOOL_COMPLETE' }),
    ]),
    'toolCalling: helper unknown': block(
      'root.states.toolCalling.invoke[0].onUnknown[0].actions',
      [raises({ type: 'TOOL_COMPLETE' })],
    ),
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
    'responding: sender done': block('root.states.responding.invoke[0].onDone[0].actions', [
      raises({ type: 'RESPONSE_SENT' }),
    ]),
    'responding: sender failed': block('root.states.responding.invoke[0].onError[0].actions', [
      raises({ type: 'RESPONSE_SENT' }),
    ]),
    'responding: sender unknown': block(
      'root.states.responding.invoke[0].onUnknown[0].actions',
      [raises({ type: 'RESPONSE_SENT' })],
    ),
    'give up': giveUp,
  },
}).createMachine({
  id: 'search-assistant-calls',
  version: '1',
  description: 'The search assistant with its calls declared. States and events are the same.',
  context: {
    userInput: null,
    intent: null,
    searchResults: [],
    generatedContent: null,
    retryCount: 0,
    maxRetries: 3,
    error: null,
    wanted: null,
  },
  options: { maxIterations: 2000 },
  initial: 'idle',
  on: { '*': { guard: 'an untaken error', actions: 'give up' } },
  states: {
    idle: { on: { USER_INPUT: { target: 'analyzing', actions: 'idle: USER_INPUT' } } },
    analyzing: {
      entry: 'enter analyzing',
      invoke: {
        src: 'model:intent',
        id: 'detector',
        // prompt: What does the user want? ${ toJSON(userInput) }
        input: ({ context }) => ({
          output: {
            properties: { confidence: { type: 'number' }, type: { type: 'string' } },
            required: ['type', 'confidence'],
            type: 'object',
          },
          prompt: text('What does the user want? ', toJSON(context.userInput)),
        }),
        onDone: [
          { guard: 'event.output.confidence >= 0.8', actions: 'analyzing: detector done' },
          { actions: 'analyzing: detector done 2' },
        ],
        onError: { actions: 'analyzing: detector failed' },
      },
      on: {
        INTENT_DETECTED: { target: 'searching', actions: 'analyzing: INTENT_DETECTED' },
        INTENT_UNCLEAR: 'clarifying',
        'unknown.invoke.detector': { actions: 'analyzing: detector unknown' },
      },
    },
    clarifying: {
      on: {
        USER_CLARIFICATION: { target: 'analyzing', actions: 'clarifying: USER_CLARIFICATION' },
      },
    },
    searching: {
      entry: 'enter searching',
      invoke: {
        // asked of the actor: timeout 10s
        src: 'tool:search',
        id: 'searcher',
        // attempt: retryCount
        // query: userInput
        input: ({ context }) => ({ attempt: context.retryCount, query: context.userInput }),
        onDone: { actions: 'searching: searcher done' },
        onError: [
          {
            guard: "event.error?.code == 'rate_limited' and retryCount < maxRetries",
            actions: 'searching: searcher failed',
          },
          { actions: 'searching: searcher failed 2' },
        ],
      },
      on: {
        SEARCH_COMPLETE: { target: 'generating', actions: 'searching: SEARCH_COMPLETE' },
        SEARCH_RETRY: { target: 'searching', guard: 'retryCount < maxRetries', reenter: true },
        SEARCH_FAILED: [
          { target: 'searching', guard: 'retryCount < maxRetries', reenter: true },
          { target: 'fallingBack', actions: 'searching: SEARCH_FAILED' },
        ],
        'unknown.invoke.searcher': { actions: 'searching: searcher unknown' },
      },
    },
    generating: {
      invoke: {
        src: 'model:writer',
        id: 'writer',
        // prompt: Answer ${ toJSON(userInput) } from ${ searchResults }, or name a tool.
        input: ({ context }) => ({
          output: {
            properties: { content: { type: 'string' }, tool: { type: 'string' } },
            type: 'object',
          },
          prompt: text('Answer ', toJSON(context.userInput), ' from ', context.searchResults, ', or name a tool.'),
        }),
        onDone: [
          { guard: 'event.output?.tool != nil', actions: 'generating: writer done' },
          { actions: 'generating: writer done 2' },
        ],
      },
      on: {
        GENERATION_COMPLETE: { target: 'responding', actions: 'generating: GENERATION_COMPLETE' },
        TOOL_NEEDED: 'toolCalling',
      },
    },
    toolCalling: {
      entry: ['data of toolCalling', 'enter toolCalling'],
      invoke: {
        src: 'tool:${ wanted }',
        id: 'helper',
        // question: userInput
        input: ({ context }) => ({
          input: { question: context.userInput },
          src: text('tool:', context.wanted),
        }),
        onDone: { actions: 'toolCalling: helper done' },
        onError: { actions: 'toolCalling: helper failed' },
      },
      on: {
        TOOL_SEARCH_TRIGGERED: {
          target: 'searching',
          actions: 'toolCalling: TOOL_SEARCH_TRIGGERED',
        },
        TOOL_COMPLETE: 'generating',
        'unknown.invoke.helper': { actions: 'toolCalling: helper unknown' },
      },
    },
    fallingBack: { entry: 'enter fallingBack', after: { 500: 'responding' } },
    responding: {
      invoke: {
        // asked of the actor: mode at_most_once
        src: 'tool:reply',
        id: 'sender',
        // text: generatedContent
        input: ({ context }) => ({ text: context.generatedContent }),
        onDone: { actions: 'responding: sender done' },
        onError: { actions: 'responding: sender failed' },
      },
      on: {
        RESPONSE_SENT: { target: 'idle', actions: 'responding: RESPONSE_SENT' },
        'unknown.invoke.sender': { actions: 'responding: sender unknown' },
      },
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

// Raises an event: now, or through the clock after a delay.
function raises(event, options = {}) {
  return (scope) => scope.enqueue.raise(valueIn(scope, event), settings(scope, options));
}

// The delay and the id of an event to come.
function settings(scope, options) {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, valueIn(scope, value)]));
}

// Runs one of two lists of steps.
function when(test, then, otherwise = []) {
  return (scope) => {
    const place = scope.place;
    if (truth(test(scope))) run(scope, `${place}.then`, then);
    else run(scope, `${place}.else`, otherwise);
  };
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

// A field of what an event carries, undefined where there is none.
function seekEvent(event, name) {
  const data = payload(event);
  if (name === 'output' && /^(xstate\.done|progress)\./.test(event.type)) return data;
  if (name === 'error' && /^(xstate\.error\.|unknown\.|error\.(execution|communication|platform|budget)$)/.test(event.type)) return data;
  return isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
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
