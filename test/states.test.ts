// docs/states.md shows the transition tables in the code: every state, every edge, nothing else.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mayFollow as chargebackMayFollow, chargebackStates } from '../src/money/chargebacks/chargeback.ts'
import { mayBecome, State } from '../src/money/orders/order.ts'
import { mayFollow as payoutMayFollow, payoutStates } from '../src/money/payouts/payout.ts'
import { mayFollow as refundMayFollow, refundStates } from '../src/money/refunds/refund.ts'
import { mayFollow as reviewMayFollow, reviewStates } from '../src/money/reviews/review.ts'

const document = readFileSync(new URL('../docs/states.md', import.meta.url), 'utf8')

/** Returns every pair of states that the code allows, as the diagram writes it. */
function edgesOf<S>(
  states: readonly S[],
  mayFollow: (from: S, to: S) => boolean,
  nameOf: (state: S) => string = String,
): string[] {
  return states
    .flatMap((from) => states.filter((to) => mayFollow(from, to)).map((to) => edge(nameOf(from), nameOf(to))))
    .sort()
}

function edge(from: string, to: string): string {
  return `${from} --> ${to}`
}

const paymentStates = Object.values(State)
const paymentName = (state: unknown) =>
  Object.entries(State).find(([, number]) => number === state)?.[0] ?? ''

const tables: readonly (readonly [heading: string, states: readonly string[], edges: readonly string[]])[] = [
  ['Payment', Object.keys(State), edgesOf(paymentStates, mayBecome, paymentName)],
  ['Refund', refundStates, edgesOf(refundStates, refundMayFollow)],
  ['Chargeback', chargebackStates, edgesOf(chargebackStates, chargebackMayFollow)],
  ['Payout', payoutStates, edgesOf(payoutStates, payoutMayFollow)],
  ['Review', reviewStates, edgesOf(reviewStates, reviewMayFollow)],
]

for (const [heading, states, edges] of tables) {
  const section = document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const drawn = [...section.matchAll(/^ {2}(\S+ --> \S+)$/gm)].map(([, found = '']) => found)

  test(`${heading}: the diagram's edges are those of the code`, () => {
    assert.ok(edges.length > 1)
    assert.deepEqual(drawn.filter((one) => !one.includes('[*]')).sort(), edges)
  })

  test(`${heading}: the diagram ends exactly where no state follows`, () => {
    const final = states.filter((state) => !edges.some((one) => one.startsWith(`${state} `)))
    const ends = drawn.filter((one) => one.endsWith('[*]'))
    assert.deepEqual(ends.sort(), final.map((state) => edge(state, '[*]')).sort())
  })

  test(`${heading}: every state has a sentence`, () => {
    const explained = [...section.matchAll(/^\| `(\w+)` .*\.[^|]*\|$/gm)].map(([, state = '']) => state)
    assert.deepEqual(explained.sort(), [...states].sort())
  })
}

test('Payment: the numbers are those of the code', () => {
  const shown = [...document.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, number]) => [
    name,
    Number(number),
  ])
  assert.deepEqual(Object.fromEntries(shown), State)
})
