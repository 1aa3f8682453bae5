// Plays scripts on exported machines: one JSON job per line in, one JSON
// result per line out, in order. It stands beside the modules in a folder
// whose node_modules holds xstate.
//
//   job    = {module, input, script: [step...]}
//   step   = {kind: "event", name, data}     an event from outside
//          | {kind: "advance", wait}         milliseconds pass
//          | {kind: "answer", name, pick, data}   the pick-th open call ends, name is done or error
//          | {kind: "restore"}               persist, JSON, a new actor; XState forgets timers then, so only while none is armed
//   result = {steps: [observation...], restored} | {fatal}
//
// Everything is synchronous and on a virtual clock.
import { createInterface } from 'node:readline';
import { rmSync } from 'node:fs';
import { assign, createActor } from 'xstate';

// What does not come to rest must not hang the runner: so many timers in one
// step of a script, and so many microsteps, are enough.
const enough = 2000;

// A module cannot leave a timer out whose delay fails; it waits as long as
// JavaScript can.
const never = 2147483647;

// XState's own clock for tests jumps to the end of an increment; this one
// goes from due time to due time, timers of one time in the order of arming.
class Clock {
  time = 0;
  #next = 1;
  #armed = new Map();
  setTimeout(run, delay) {
    const id = this.#next++;
    if (delay < never) this.#armed.set(id, { id, due: this.time + delay, run });
    return id;
  }
  clearTimeout(id) {
    this.#armed.delete(id);
  }
  left() {
    return [...this.#armed.values()].map((t) => t.due - this.time).sort((a, b) => a - b);
  }
  advance(ms) {
    const end = this.time + ms;
    for (let fired = 0; ; fired++) {
      if (fired === enough) throw new Error('the timers do not come to rest');
      const due = [...this.#armed.values()].filter((t) => t.due <= end);
      if (due.length === 0) break;
      due.sort((a, b) => a.due - b.due || a.id - b.id);
      this.#armed.delete(due[0].id);
      this.time = Math.max(this.time, due[0].due);
      due[0].run();
    }
    this.time = end;
  }
}

// What the machines register with Go, in JavaScript.
const guards = {
  odd: (_, params) => params.of % 2 !== 0
};
const actions = {
  mark: assign({ marks: ({ context }, params) => [...context.marks, params.as].slice(-6) }),
  bump: assign(({ context }, params) => ({ [params.variable]: (context[params.variable] + params.by) % 1000 }))
};

// A call stays open until the script ends it.
const call = {
  getInitialSnapshot: (_, input) => ({ status: 'active', input, output: undefined, error: undefined }),
  transition: (snapshot, event) => {
    switch (event.type) {
      case 'runner.done':
        return { ...snapshot, status: 'done', output: event.data };
      case 'runner.error':
        return { ...snapshot, status: 'error', error: event.data };
      case 'xstate.stop':
        return { ...snapshot, status: 'stopped' };
    }
    return snapshot;
  },
  getPersistedSnapshot: (snapshot) => snapshot,
  restoreSnapshot: (snapshot) => snapshot
};

class Session {
  clock = new Clock();
  restored = 0;
  #seen = { trace: [], emitted: [], microsteps: 0, selected: [] };
  #arrived = false; // an event did, and its first microstep is still to come

  constructor(machine, input) {
    this.machine = machine.provide({ guards, actions, actors: { work: call, ask: call } });
    this.input = input;
    this.start();
  }

  start(snapshot) {
    let root;
    this.actor = createActor(this.machine, {
      clock: this.clock,
      input: this.input,
      ...(snapshot && { snapshot }),
      logger: (...values) => this.#seen.trace.push(values.at(-1)),
      inspect: (e) => {
        root ??= e.actorRef;
        if (e.actorRef !== root) return;
        if (e.type === '@xstate.event') this.#arrived = true;
        if (e.type !== '@xstate.microstep') return;
        if (++this.#seen.microsteps === enough) throw new Error('the machine does not come to rest');
        if (this.#arrived) this.#seen.selected.push(e);
        this.#arrived = false;
      }
    });
    this.actor.on('*', (e) => this.#seen.emitted.push(e));
    this.actor.subscribe({ error: () => {} });
    this.actor.start();
  }

  restore() {
    if (this.clock.left().length > 0 || this.actor.getSnapshot().status !== 'active') return;
    this.restored++;
    this.start(JSON.parse(JSON.stringify(this.actor.getPersistedSnapshot())));
  }

  live() {
    const children = Object.entries(this.actor.getSnapshot().children ?? {});
    return children.filter(([, c]) => c?.getSnapshot().status === 'active').sort(([a], [b]) => (a < b ? -1 : 1));
  }

  play(step) {
    switch (step.kind) {
      case 'event':
        return this.actor.send({ ...step.data, type: step.name });
      case 'advance':
        return this.clock.advance(step.wait ?? 0);
      case 'restore':
        return this.restore();
      case 'answer': {
        const live = this.live();
        if (live.length > 0) live[(step.pick ?? 0) % live.length][1].send({ type: 'runner.' + step.name, data: step.data ?? null });
      }
    }
  }

  // An event counts as taken that itself selects a transition which does
  // something: the event that was sent, or any while time passes.
  #taken(step) {
    if (!step || step.kind === 'restore') return false;
    const does = (m) => m._transitions.some((t) => t.target || t.actions.length > 0);
    const own = step.kind === 'advance' ? this.#seen.selected : this.#seen.selected.slice(0, 1);
    return own.some(does);
  }

  observe(step) {
    const s = this.actor.getSnapshot();
    const active = s.status === 'active';
    const out = {
      states: s._nodes.filter((n) => n.type === 'atomic' || n.type === 'final').map((n) => n.path.join('.')).sort(),
      context: s.context,
      status: s.status,
      taken: this.#taken(step),
      trace: this.#seen.trace,
      timers: active ? this.clock.left() : [],
      live: active ? this.live().map(([id, c]) => ({ id, input: c.getSnapshot().input })) : [],
      emitted: this.#seen.emitted,
      output: s.output ?? null
    };
    if (s.status === 'error') out.error = String(s.error?.message ?? JSON.stringify(s.error));
    this.#seen = { trace: [], emitted: [], microsteps: 0, selected: [] };
    return out;
  }
}

async function run(job) {
  const { machine } = await import(job.module);
  const session = new Session(machine, job.input);
  session.clock.advance(0); // what is due at once comes at once
  const steps = [JSON.stringify(session.observe())];
  for (const step of job.script) {
    session.play(step);
    session.clock.advance(0);
    steps.push(JSON.stringify(session.observe(step)));
  }
  return `{"restored":${session.restored},"steps":[${steps.join(',')}]}`;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const job = JSON.parse(line);
  let result;
  try {
    result = await run(job);
  } catch (e) {
    result = JSON.stringify({ fatal: String(e?.stack ?? e) });
  }
  rmSync(new URL(job.module, import.meta.url), { force: true });
  process.stdout.write(result + '\n');
}
