// Results that a channel receives without a query: a callback from the counterparty, or a proof that the payer's browser brings.
// They may arrive twice, late, tampered with, or with another amount.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttemptRef, Callback, Channel, Outcome } from '../../src/channels/contract.ts'
import type { Answer, BrowserNews, CallbackNews, Suite } from '../channel-driver.ts'
import { eventually } from '../eventually.ts'
import { assertFailed, assertPaid, paidBy, shown, startWaiting } from './outcomes.ts'

export function testNews(suite: Suite): void {
  it('reports the result, and the same result when it arrives again', async () => {
    const { news, told, attempt, channel } = await paidWithNews(suite)
    assertPaid(told, attempt.money)
    assert.deepEqual(await news(), told)
    assert.deepEqual(await channel.ask(attempt), told)
  })

  it('reports the true result when it arrives late, after query and cancel', async () => {
    const { news, told, attempt, channel, reference } = await paidWithNews(suite)
    const truth = await channel.cancel(attempt)
    assert.deepEqual(await news(), truth)
    assert.deepEqual(truth, told)
    assert.equal(await suite.driver().isCharged(reference), true)
  })

  it('reports a decline', async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    const answer = await suite.driver().act(action, 'decline')
    const { news } = suite.driver()
    const told =
      news.kind === 'browser'
        ? await channel.complete({ ...attempt, answer })
        : outcomeIn(await callbackAbout(suite, news, reference), reference)
    assertFailed(told, 'declined')
    assert.deepEqual(await channel.ask(attempt), told)
  })

  it('does not accept another amount', async () => {
    const { news } = suite.driver()
    if (news.kind === 'callback') await testWrongAmount(suite, news)
    else await testForgedAnswer(suite, news)
  })

  it('refuses a result that was tampered with', async () => {
    const { news } = suite.driver()
    if (news.kind === 'callback') await testTampered(suite, news)
    else await testTamperedAnswer(suite)
  })

  it('acknowledges a callback so that the counterparty stops sending it', async () => {
    const { news } = suite.driver()
    if (news.kind === 'browser') return
    const { reference } = await paidWithNews(suite)
    await sleep(700)
    const heard = await Promise.all(news.received().map((one) => hear(suite, one)))
    const about = heard.filter((one) => one.kind === 'heard' && one.reports[0]?.reference === reference)
    assert.equal(about.length, 1)
  })
}

/** An approved payment with its first result, and a function that delivers the result again. */
async function paidWithNews(suite: Suite) {
  const waiting = await startWaiting(suite)
  const { channel, attempt, action, reference } = waiting
  const answer = await suite.driver().act(action, 'approve')
  const { news } = suite.driver()
  if (news.kind === 'browser') {
    const bring = () => channel.complete({ ...attempt, answer })
    return { ...waiting, told: await bring(), news: bring }
  }
  const heard = await callbackAbout(suite, news, reference)
  const bring = async () => outcomeIn(await hearing(channel, heard.callback), reference)
  return { ...waiting, told: outcomeIn(heard, reference), news: bring }
}

type HeardCallback = { readonly callback: Callback; readonly reports: readonly Report[] }
type Report = { readonly reference: string; readonly outcome: Outcome }

async function callbackAbout(suite: Suite, news: CallbackNews, reference: string): Promise<HeardCallback> {
  let found: HeardCallback | undefined
  let seen = 0
  const look = async (callback: Callback) => {
    const heard = await hear(suite, callback)
    if (heard.kind === 'heard' && heard.reports.some((one) => one.reference === reference))
      found ??= { callback, reports: heard.reports }
  }
  const isFound = async () => {
    for (const callback of news.received().slice(seen)) {
      seen += 1
      await look(callback)
    }
    return found !== undefined
  }
  assert.ok((await eventually(isFound)) && found, 'no callback came')
  return found
}

function hear(suite: Suite, callback: Callback) {
  const { channel } = suite.driver()
  assert.ok(channel.hear, 'a channel that is told by callbacks has hear()')
  return channel.hear(callback)
}

async function hearing(channel: Channel, callback: Callback): Promise<HeardCallback> {
  const heard = await channel.hear?.(callback)
  assert.equal(heard?.kind, 'heard', shown(heard))
  assert.ok(heard.answer.status >= 200 && heard.answer.status < 300)
  return { callback, reports: heard.reports }
}

function outcomeIn({ reports }: HeardCallback, reference: string): Outcome {
  const report = reports.find((one) => one.reference === reference)
  assert.ok(report, 'the callback speaks of the payment')
  return report.outcome
}

/** A channel reports what the counterparty says, for the caller to compare, or queries it and reports the truth. */
async function testWrongAmount(suite: Suite, news: CallbackNews): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  await suite.driver().act(action, 'approve')
  const { callback } = await callbackAbout(suite, news, reference)
  const other = { amount: attempt.money.amount + 7n, currency: attempt.money.currency }
  const told = outcomeIn(await hearing(channel, news.forge(callback, other)), reference)
  assert.ok(told.kind === 'succeeded' || told.kind === 'received', shown(told))
  assert.deepEqual(paidBy(told), news.believes === 'signature' ? other : attempt.money)
}

async function testTampered(suite: Suite, news: CallbackNews): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  await suite.driver().act(action, 'approve')
  const { callback } = await callbackAbout(suite, news, reference)
  const truth = await channel.ask(attempt)
  for (const changed of tampered(callback)) {
    const heard = await hear(suite, changed)
    if (heard.kind === 'refused') assert.ok(heard.answer.status >= 400 || heard.answer.body !== 'success')
    // Only a channel that queries may accept a changed message, and must then report the truth.
    else assert.ok(news.believes === 'asking' && heard.reports.every((one) => isTruth(one, attempt, truth)))
  }
}

function isTruth({ reference, outcome }: Report, attempt: AttemptRef, truth: Outcome): boolean {
  return reference === attempt.reference && shown(outcome) === shown(truth)
}

/** The message with one character changed in several places, and without its headers, as an attacker could send it. */
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

async function testForgedAnswer(suite: Suite, news: BrowserNews): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  const answer = await suite.driver().act(action, 'approve')
  const other = { amount: attempt.money.amount + 7n, currency: attempt.money.currency }
  assertFailed(await channel.complete({ ...attempt, answer: await news.forge(answer, other) }), 'declined')
  assert.equal(await suite.driver().isCharged(reference), false)
}

async function testTamperedAnswer(suite: Suite): Promise<void> {
  const { channel, attempt, action, reference } = await startWaiting(suite)
  const answer = await suite.driver().act(action, 'approve')
  const told = await channel.complete({ ...attempt, answer: changedAnswer(answer) })
  assert.ok(told.kind === 'failed' || told.kind === 'pending', shown(told))
  assert.equal(await suite.driver().isCharged(reference), false)
}

/** Changes the last digit of the longest field. */
function changedAnswer(answer: Answer): Answer {
  const [name = '', value = ''] = Object.entries(answer).sort((a, b) => b[1].length - a[1].length)[0] ?? []
  return { ...answer, [name]: value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) }
}
