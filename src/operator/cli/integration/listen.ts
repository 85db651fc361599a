import { openPlatformKey } from '../../../money/merchants/platform-key.ts'
import { type Forwarded, forwardNotifications } from '../../../money/notifications/forward-notifications.ts'
import { TIMEOUT_MS } from '../../../money/notifications/schedule.ts'
import { createSender, type Sender } from '../../../money/notifications/send.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { createAddressGuard } from '../../../platform/http/client/address-guard.ts'
import { openPosting } from '../../../platform/http/client/open-posting.ts'
import { reachOf } from '../../../platform/http/client/public-address.ts'
import type { Command, Tools } from '../command.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { plain } from '../shared/print.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const listen: Command = {
  name: 'listen',
  summary: 'Show new notifications and forward them to a server on this machine, until Ctrl-C',
  options: {
    forward: { value: 'URL', required: true, help: 'for example http://localhost:3000/hook' },
    'mer-no': { value: 'MERNO', help: 'the merchant (default: the demo merchant)' },
    remote: { help: 'allow a server on another machine' },
  },
  async run({ given, tools }) {
    const url = readTarget(given.text('forward') ?? '', given.flag('remote'))
    return follow(tools, givenMerNo(given) ?? (await demoMerchant(tools)).merNo, url)
  },
}

function readTarget(text: string, remote: boolean): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new OperatorRefusal('--forward must be an http or https address')
  if (remote || isOwn(url.hostname)) return url.href
  throw new OperatorRefusal(`${url.hostname} is not this machine: add --remote to forward there`)
}

function isOwn(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || reachOf(host) === 'loopback'
}

async function follow(tools: Tools, merNo: number, url: string) {
  const db = await tools.database()
  await findMerchant(db, tools, merNo)
  const { privateKey } = await openPlatformKey(db, await tools.vault(), tools.clock.now())
  const sender = openSender()
  const signal = untilInterrupted()
  signal.addEventListener('abort', () => sender.close())
  const deps = {
    db,
    clock: tools.clock,
    sender,
    platformKey: privateKey,
    findMerchant: () => findMerchant(db, tools, merNo),
  }
  const counts = { forwarded: 0, acknowledged: 0 }
  const stream = await forwardNotifications(deps, { merNo, url, signal })
  tools.say(`New notifications of merchant ${merNo} go to ${url}. Press Ctrl-C to stop.`)
  for await (const one of stream) {
    counts.forwarded++
    if (one.acknowledged) counts.acknowledged++
    await tools.print(`${tools.asJson ? JSON.stringify(one) : lineOf(one)}\n`)
  }
  return { json: counts, text: `${counts.forwarded} forwarded, ${counts.acknowledged} acknowledged.` }
}

/** The sender allows every address, because `readTarget` has checked the target. */
function openSender(): Sender {
  const guard = createAddressGuard({ loopbackAllowed: true, allow: ['0.0.0.0/0', '::/0'], ports: 'any' })
  return createSender({ posting: openPosting(guard, { raw: false }), timeoutMs: TIMEOUT_MS })
}

/**
 * Returns an abort signal for Ctrl-C. On Ctrl-C, the terminal and npm each send a signal to the process. The second one
 * must not interrupt the shutdown.
 */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => controller.abort())
  return controller.signal
}

function lineOf(one: Forwarded): string {
  const { event, tradeNo, merOrderNo, code, status, answer, why } = one
  const sign = one.signVerifies ? 'sign verifies' : 'sign does NOT verify'
  const result = one.acknowledged ? 'acknowledged' : `not acknowledged: ${why}`
  const answered = status === null ? 'no answer' : `${status} ${JSON.stringify(answer)}`
  const parts = [one.at.toISOString(), event, tradeNo, merOrderNo, `code ${code}`, sign]
  return plain(`${parts.join('  ')}  → ${answered} in ${one.latencyMs} ms, ${result}`)
}

export const listenCommands: readonly Command[] = [listen]
