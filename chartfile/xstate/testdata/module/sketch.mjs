// ask
//
// This module was made from a chart of Detent, and is yours to change. It needs XState 5.
// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.
import { setup } from 'xstate';

export const machine = setup({}).createMachine({
  id: 'ask',
  options: { maxIterations: 2000 },
  initial: 'thinking',
  states: {
    thinking: { on: { ANSWER: 'review' } },
    review: { on: { APPROVE: 'answered', REJECT: 'thinking' } },
    answered: { type: 'final' },
  },
});
