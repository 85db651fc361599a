// News that nobody asked for: a callback of the counterparty, or a proof that the payer's browser carries. It may come
// twice, late, changed on the way, or about other money.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttemptRef, Callback, Channel, Outcome } from '../../src/channels/contract.ts'
import type { Answer, BrowserNews, CallbackNews, Suite } from '../channel-driver.ts'
import { eventually } from '../eventually.ts'
import { assertFailed, assertPaid, paidBy, shown, startWaiting } from './outcomes.ts'

export function testNews(suite: Suite): void {
  it('hears what the payer did, and the same news again is the same', async () => {
    const { news, told, attempt, channel } = await paidWithNews(suite)
    assertPaid(told, attempt.money)
    assert.deepEqual(await news(), told)
    assert.deepEqual(await channel.ask(attempt), told)
  })

  it('hears news that comes late, after all was asked and done, and stays with the truth', async () => {
    const { news, told, attempt, channel, reference } = await paidWithNews(suite)
    const truth = await channel.cancel(attempt)
    assert.deepEqual(await news(), truth)
    assert.deepEqual(truth, told)
    assert.equal(await suite.driver().isCharged(reference), true)
  })

  it('hears news of a decline', async () => {
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

  it('is not deceived about the amount', async () => {
    const { news } = suite.driver()
    if (news.kind === 'callback') await testWrongAmount(suite, news)
    else await testForgedAnswer(suite, news)
  })

  it('refuses news that was changed on its way', async () => {
    const { news } = suite.driver()
    if (news.kind === 'callback') await testTampered(suite, news)
    else await testTamperedAnswer(suite)
  })

  it('answers so that the counterparty stops telling', async () => {
    const { news } = suite.driver()
    if (news.kind === 'browser') return
    const { reference } = await paidWithNews(suite)
    await sleep(700)
    const result = await Promise.all(news.received().map((one) => readCallback(suite, one)))
    const about = result.filter((one) => one.kind === 'accepted' && one.reports[0]?.reference === reference)
    assert.equal(about.length, 1)
  })
}

/** A payment that was approved, with its news as it first came and a way to bring it again. */
async function paidWithNews(suite: Suite) {
  const waiting = await startWaiting(suite)
  const { channel, attempt, action, reference } = waiting
  const answer = await suite.driver().act(action, 'approve')
  const { news } = suite.driver()
  if (news.kind === 'browser') {
    const bring = () => channel.complete({ ...attempt, answer })
    return { ...waiting, told: await bring(), news: bring }
  }
  const result = await callbackAbout(suite, news, reference)
  const bring = async () => outcomeIn(await hearing(channel, result.callback), reference)
  return { ...waiting, told: outcomeIn(result, reference), news: bring }
}

type HeardCallback = { readonly callback: Callback; readonly reports: readonly Report[] }
type Report = { readonly reference: string; readonly outcome: Outcome }

async function callbackAbout(suite: Suite, news: CallbackNews, reference: string): Promise<HeardCallback> {
  let found: HeardCallback | undefined
  let seen = 0
  const look = async (callback: Callback) => {
    const result = await readCallback(suite, callback)
    if (result.kind === 'accepted' && result.reports.some((one) => one.reference === reference))
      found ??= { callback, reports: result.reports }
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

function readCallback(suite: Suite, callback: Callback) {
  const { channel } = suite.driver()
  assert.ok(channel.readCallback, 'a channel that is told by callbacks has readCallback()')
  return channel.readCallback(callback)
}

async function hearing(channel: Channel, callback: Callback): Promise<HeardCallback> {
  const result = await channel.readCallback?.(callback)
  assert.equal(result?.kind, 'accepted', shown(result))
  assert.ok(result.answer.status >= 200 && result.answer.status < 300)
  return { callback, reports: result.reports }
}

function outcomeIn({ reports }: HeardCallback, reference: string): Outcome {
  const report = reports.find((one) => one.reference === reference)
  assert.ok(report, 'the callback speaks of the payment')
  return report.outcome
}

/** What the counterparty itself says is told as it is, for the caller to compare; or asked for, and then it is the truth. */
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
    const result = await readCallback(suite, changed)
    if (result.kind === 'refused') assert.ok(result.answer.status >= 400 || result.answer.body !== 'success')
    // Only a channel that asks may listen to a changed message, and must then tell the truth.
    else assert.ok(news.believes === 'asking' && result.reports.every((one) => isTruth(one, attempt, truth)))
  }
}

function isTruth({ reference, outcome }: Report, attempt: AttemptRef, truth: Outcome): boolean {
  return reference === attempt.reference && shown(outcome) === shown(truth)
}

/** One character changed, in several places; and the message as anyone on the way could send it, without its headers. */
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

/** The last digit of the longest field is another one. */
function changedAnswer(answer: Answer): Answer {
  const [name = '', value = ''] = Object.entries(answer).sort((a, b) => b[1].length - a[1].length)[0] ?? []
  return { ...answer, [name]: value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) }
}
