// Callbacks about payouts: authentic callbacks are read, repeated callbacks give the same result, and changed callbacks
// are not believed.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Callback, CallbackResult } from '../../../src/rails/contract/channel.ts'
import type { PayoutOutcome } from '../../../src/rails/contract/payout-outcome.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeReference } from '../channel-driver.ts'
import type { PayoutSuite } from '../payout-driver.ts'
import { assertForeign, otherThan, settled, shown } from './outcomes.ts'

export function testPayoutCallbacks(suite: PayoutSuite): void {
  const { driver, rail } = suite

  it('reads callbacks about a payout, twice the same, and believes no changed one; or is only asked', async () => {
    assert.equal(rail().readCallback !== undefined, driver().received !== undefined)
    if (driver().received === undefined) return
    const request = driver().request('pays', makeReference())
    await rail().send(request)
    const truth = await settled(suite, request.reference)
    const callback = await callbackAbout(suite, request.reference, truth.kind)
    const reported = outcomeIn(await read(suite, callback), request.reference)
    assert.deepEqual(reported, truth)
    assert.deepEqual(outcomeIn(await read(suite, callback), request.reference), truth)
    for (const changed of tampered(callback)) {
      const result = await read(suite, changed)
      // A rail that asks the counterparty may accept a changed message, and must then report the truth.
      if (result.kind === 'accepted')
        assert.ok((result.payouts ?? []).every(({ outcome }) => shown(outcome) === shown(truth)))
      else assert.ok(result.answer.status >= 400)
    }
  })

  it('takes a callback in another currency for no success in ours; or asks', async () => {
    const { received, forgeCallback } = driver()
    if (received === undefined || forgeCallback === undefined) return
    const request = driver().request('pays', makeReference())
    await rail().send(request)
    const truth = await settled(suite, request.reference)
    const callback = await callbackAbout(suite, request.reference, truth.kind)
    for (const currency of [otherThan(request.money.currency), 'XXX', '']) {
      const result = await read(suite, forgeCallback(callback, currency))
      // A refused callback comes again; an accepted one may report nothing.
      if (result.kind === 'refused') assert.ok(result.answer.status >= 400)
      const told = outcomeIn(result, request.reference)
      assertForeign(told ?? { kind: 'unknown', why: 'it tells nothing' }, currency)
    }
  })

  it('reads a callback about money that came back; or is only asked', async () => {
    if (driver().received === undefined) return
    const request = driver().request('pays', makeReference())
    await rail().send(request)
    await settled(suite, request.reference)
    await driver().giveBack(request.reference)
    const callback = await callbackAbout(suite, request.reference, 'returned')
    assert.equal(outcomeIn(await read(suite, callback), request.reference)?.kind, 'returned')
  })
}

async function read({ rail }: PayoutSuite, callback: Callback): Promise<CallbackResult> {
  const result = await rail().readCallback?.(callback)
  assert.ok(result)
  return result
}

function outcomeIn(result: CallbackResult, reference: string): PayoutOutcome | undefined {
  if (result.kind !== 'accepted') return undefined
  return result.payouts?.find((one) => one.reference === reference)?.outcome
}

/** Returns the first callback that reports this outcome. */
async function callbackAbout(suite: PayoutSuite, reference: string, kind: string): Promise<Callback> {
  let found: Callback | undefined
  let seen = 0
  const isFound = async () => {
    for (const callback of (suite.driver().received?.() ?? []).slice(seen)) {
      seen += 1
      if (outcomeIn(await read(suite, callback), reference)?.kind === kind) found ??= callback
    }
    return found !== undefined
  }
  assert.ok((await eventually(isFound)) && found, 'no callback came')
  return found
}

/** Returns the message with one character changed in several places, and without its headers. */
function tampered(callback: Callback): Callback[] {
  const { body } = callback
  const changed = [0.3, 0.5, 0.7].flatMap((part) => {
    const from = Math.floor(body.length * part)
    const found = body.slice(from).search(/[a-y0-8]/)
    const at = from + found
    const next = String.fromCharCode(body.charCodeAt(at) + 1)
    return found < 0 ? [] : [{ ...callback, body: body.slice(0, at) + next + body.slice(at + 1) }]
  })
  assert.ok(changed.length > 0)
  return [...changed, { ...callback, query: '', headers: {}, body: `${body} ` }]
}
