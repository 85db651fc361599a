import type { RowOf } from '../../api/use-call.ts'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'

const tones: Readonly<Record<number, Tone>> = {
  1: 'waiting',
  5: 'done',
  6: 'error',
  10: 'waiting',
  11: 'error',
  12: 'waiting',
  17: 'error',
  24: 'waiting',
  25: 'waiting',
}

export function toneOf(state: number): Tone {
  return tones[state] ?? 'neutral'
}

/** The state of an order in words. The words include partial refunds, and what an open order waits for. */
export function OrderState({ of }: { readonly of: Pick<RowOf<'GET /orders'>, 'state' | 'stage'> }) {
  const orders = useWords(ordersWords)
  return <StateLabel tone={toneOf(of.state)}>{orders.stages[of.stage]}</StateLabel>
}
