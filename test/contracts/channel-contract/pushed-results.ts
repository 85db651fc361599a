// Results that a channel receives without a query: a callback from the counterparty, or a proof that the payer's
// browser brings. The results may arrive twice, late, tampered with, or with another amount.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttemptRef, Callback, Channel, Outcome } from '../../../src/rails/contract/channel.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Answer, BrowserPush, CallbackPush, Suite } from '../channel-driver.ts'
import { assertFailed, assertPaid, paidBy, shown, startWaiting } from './outcomes.ts'

export function testPushedResults(suite: Suite): void {
  it('reports the result, and the same result when it arrives again', async () => {
    const { push, result, attempt, channel } = await paidWithResult(suite)
    assertPaid(result, attempt.money)
    assert.deepEqual(await push(), result)
    assert.deepEqual(await channel.ask(attempt), result)
  })

  it('reports the true result when it arrives late, after query and cancel', async () => {
    const { push, result, attempt, channel, reference } = await paidWithResult(suite)
    const truth = await channel.cancel(attempt)
    assert.deepEqual(await push(), truth)
    assert.deepEqual(truth, result)
    assert.equal(await suite.driver().isCharged(reference), true)
  })

  it('reports a decline', async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    const answer = await suite.driver().act(action, 'decline')
    const push = pushOf(suite)
    const result =
      push.kind === 'browser'
        ? await channel.complete({ ...attempt, answer })
        : outcomeIn(await callbackAbout(suite, push, reference), reference)
    assertFailed(result, 'declined')
    assert.deepEqual(await channel.ask(attempt), result)
  })

  it('does not accept another amount or currency', async () => {
    const push = pushOf(suite)
    if (push.kind === 'callback') await testWrongMoney(suite, push)
    else await testForgedAnswer(suite, push)
  })

  it('refuses a result that was tampered with', async () => {
    const push = pushOf(suite)
    if (push.kind === 'callback') await testTampered(suite, push)
    else await testTamperedAnswer(suite)
  })

  it('acknowledges a callback so that the counterparty stops sending it', async () => {
    const push = pushOf(suite)
    if (push.kind === 'browser') return
    const { reference } = await paidWithResult(suite)
    await sleep(700)
    const handled = await Promise.all(push.received().map((one) => receive(suite, one)))
    const about = handled.filter((one) => one.kind === 'accepted' && one.reports[0]?.reference === reference)
    assert.equal(about.length, 1)
  })
}

function pushOf(suite: Suite): CallbackPush | BrowserPush {
  const { push } = suite.driver()
  assert.ok(push.kind !== 'polled', 'a channel that only reads has another contract')
  return push
}

/** Makes an approved payment with its first result, and a function that delivers the result again. */
async function paidWithResult(suite: Suite) {
  const waiting = await startWaiting(suite)
  const { channel, attempt, action, reference } = waiting
  const answer = await suite.driver().act(action, 'approve')
  const push = pushOf(suite)
  if (push.kind === 'browser') {
    const bring = () => channel.complete({ ...attempt, answer })
    return { ...waiting, result: await bring(), push: bring }
  }
  const handled = await callbackAbout(suite, push, reference)
  const bring = async () => outcomeIn(await handle(channel, handled.callback), reference)
  return { ...waiting, result: outcomeIn(handled, reference), push: bring }
}

type HandledCallback = { readonly callback: Callback; readonly reports: readonly Report[] }
type Report = { readonly reference: string; readonly outcome: Outcome }

async function callbackAbout(suite: Suite, push: CallbackPush, reference: string): Promise<HandledCallback> {
  let found: HandledCallback | undefined
  let seen = 0
  const look = async (callback: Callback) => {
    const handled = await receive(suite, callback)
    if (handled.kind === 'accepted' && handled.reports.some((one) => one.reference === reference))
      found ??= { callback, reports: handled.reports }
  }
  const isFound = async () => {
    for (const callback of push.received().slice(seen)) {
      seen += 1
      await look(callback)
    }
    return found !== undefined
  }
  assert.ok((await eventually(isFound)) && found, 'no callback came')
  return found
}

function receive(suite: Suite, callback: Callback) {
  const { channel } = suite.driver()
  assert.ok(channel.readCallback, 'a channel with callbacks has readCallback()')
  return channel.readCallback(callback)
}

async function handle(channel: Channel, callback: Callback): Promise<HandledCallback> {
  const handled = await channel.readCallback?.(callback)
  assert.equal(handled?.kind, 'accepted', shown(handled))
  assert.ok(handled.answer.status >= 200 && handled.answer.status < 300)
  return { callback, reports: handled.reports }
}

function outcomeIn({ reports }: HandledCallback, reference: string): Outcome {
  const report = reports.find((one) => one.reference === reference)
  assert.ok(report, 'the callback names the payment')
  return report.outcome
}

/**
 * Checks a message with another amount. A channel reports the counterparty's amount, for the caller to compare, or
 * queries the counterparty and reports the truth.
 */
async function testWrongMoney(suite: Suite, push: CallbackPush): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  await suite.driver().act(action, 'approve')
  const { callback } = await callbackAbout(suite, push, reference)
  const { amount, currency } = attempt.money
  const other = { amount: amount + 7n, currency }
  const result = outcomeIn(await handle(channel, push.forge(callback, other)), reference)
  assert.ok(result.kind === 'succeeded' || result.kind === 'received', shown(result))
  assert.deepEqual(paidBy(result), push.believes === 'signature' ? other : attempt.money)
  if (push.believes === 'asking') return
  const forged = push.forge(callback, { amount, currency: otherThan(currency) })
  // Some messages name no currency.
  if (forged.body === push.forge(callback, attempt.money).body) return
  const foreign = await receive(suite, forged)
  if (foreign.kind === 'refused') return assert.ok(foreign.answer.status >= 400)
  const [report] = foreign.reports
  assert.ok(report?.outcome.kind === 'succeeded' || report?.outcome.kind === 'received', shown(report))
  assert.equal(paidBy(report.outcome)?.currency, otherThan(currency))
}

function otherThan(currency: string): string {
  return currency === 'EUR' ? 'USD' : 'EUR'
}

async function testTampered(suite: Suite, push: CallbackPush): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  await suite.driver().act(action, 'approve')
  const { callback } = await callbackAbout(suite, push, reference)
  const truth = await channel.ask(attempt)
  for (const changed of tampered(callback)) {
    const handled = await receive(suite, changed)
    if (handled.kind === 'refused')
      assert.ok(handled.answer.status >= 400 || handled.answer.body !== 'success')
    // Only a channel that queries may accept a changed message, and must then report the truth.
    else assert.ok(push.believes === 'asking' && handled.reports.every((one) => isTruth(one, attempt, truth)))
  }
}

function isTruth({ reference, outcome }: Report, attempt: AttemptRef, truth: Outcome): boolean {
  return reference === attempt.reference && shown(outcome) === shown(truth)
}

/**
 * Returns the message with one character changed in several places, and without its headers, as an attacker could send
 * it.
 */
function tampered(callback: Callback): Callback[] {
  const { body } = callback
  const places = [0.2, 0.4, 0.6, 0.8].map((part) =>
    body.slice(Math.floor(body.length * part)).search(/[a-y0-8]/),
  )
  const changed = places.flatMap((found, index) => {
    const at = Math.floor(body.length * (0.2 * (index + 1))) + found
    const next = String.fromCharCode(body.charCodeAt(at) + 1)
    return found < 0 ? [] : [{ ...callback, body: body.slice(0, at) + next + body.slice(at + 1) }]
  })
  assert.ok(changed.length > 0)
  return [...changed, { ...callback, query: '', headers: {}, body: `${body} ` }]
}

async function testForgedAnswer(suite: Suite, push: BrowserPush): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  const answer = await suite.driver().act(action, 'approve')
  const other = { amount: attempt.money.amount + 7n, currency: attempt.money.currency }
  assertFailed(await channel.complete({ ...attempt, answer: await push.forge(answer, other) }), 'declined')
  assert.equal(await suite.driver().isCharged(reference), false)
}

async function testTamperedAnswer(suite: Suite): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  const answer = await suite.driver().act(action, 'approve')
  const result = await channel.complete({ ...attempt, answer: changedAnswer(answer) })
  assert.ok(result.kind === 'failed' || result.kind === 'pending', shown(result))
  assert.equal(await suite.driver().isCharged(reference), false)
}

/** Changes the last digit of the longest field. */
function changedAnswer(answer: Answer): Answer {
  const [name = '', value = ''] = Object.entries(answer).sort((a, b) => b[1].length - a[1].length)[0] ?? []
  return { ...answer, [name]: value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) }
}
