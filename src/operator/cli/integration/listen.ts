import { openPlatformKey } from '../../../money/merchants/platform-key.ts'
import { type Forwarded, forwardNotifications } from '../../../money/notifications/forward-notifications.ts'
import { TIMEOUT_MS } from '../../../money/notifications/schedule.ts'
import { createSender, type Sender } from '../../../money/notifications/send.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { createAddressGuard } from '../../../platform/http/client/address-guard.ts'
import { openPosting } from '../../../platform/http/client/posting.ts'
import { reachOf } from '../../../platform/http/client/public-address.ts'
import { readDemo } from '../../demo/demo-file.ts'
import type { Command, Result, Tools } from '../command.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { openListener } from '../shared/listener.ts'
import { plain } from '../shared/print.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const listen: Command = {
  name: 'listen',
  summary: 'Show new notifications, until Ctrl-C; with --forward, send copies to a server on this machine',
  options: {
    forward: { value: 'URL', help: 'send a copy of each there, for example http://localhost:3000/hook' },
    'mer-no': { value: 'MERNO', help: 'the merchant (default: the demo merchant)' },
    remote: { help: 'allow a server on another machine' },
  },
  async run({ given, tools }) {
    const forward = given.text('forward')
    const url = forward === undefined ? undefined : readTarget(forward, given.flag('remote'))
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

async function follow(tools: Tools, merNo: number, url: string | undefined): Promise<Result> {
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
  const counts = { shown: 0, acknowledged: 0 }
  const stream = await forwardNotifications(deps, { merNo, url, signal })
  const listener = await openForDemo(tools, merNo)
  try {
    tools.say(
      `New notifications of merchant ${merNo} ${url === undefined ? 'are shown here' : `go to ${url}`}.`,
    )
    if (listener !== undefined)
      tools.say('Payments by "tollgate pay" and events of "tollgate trigger" notify this command.')
    tools.say('Press Ctrl-C to stop.')
    for await (const one of stream) {
      counts.shown++
      if (one.response?.acknowledged) counts.acknowledged++
      await tools.print(`${tools.asJson ? JSON.stringify(documentOf(one)) : linesOf(one)}\n`)
    }
  } finally {
    listener?.close()
  }
  const { shown, acknowledged } = counts
  return url === undefined
    ? { json: { shown }, text: `${shown} shown.` }
    : { json: { forwarded: shown, acknowledged }, text: `${shown} forwarded, ${acknowledged} acknowledged.` }
}

/**
 * Opens the server to which orders of `pay` and `trigger` are notified. Undefined for another merchant than the demo
 * merchant, or for a gateway on another machine.
 */
async function openForDemo(tools: Tools, merNo: number) {
  const { dataDir, isLocal } = tools.config()
  const demo = isLocal ? await readDemo(dataDir) : undefined
  return demo?.merNo === merNo ? openListener(dataDir, merNo) : undefined
}

/** The sender may call every address, because `readTarget` has checked the target. */
function openSender(): Sender {
  const guard = createAddressGuard({ loopbackAllowed: true, allow: ['0.0.0.0/0', '::/0'], ports: 'any' })
  return createSender({ posting: openPosting(guard), timeoutMs: TIMEOUT_MS })
}

/**
 * Returns an abort signal for Ctrl-C. On Ctrl-C, the terminal and npm each send a signal to the process. The second
 * signal must not interrupt the shutdown.
 */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => controller.abort())
  return controller.signal
}

function documentOf({ response, ...shown }: Forwarded) {
  return { ...shown, ...response }
}

/**
 * Formats a notification. If a copy was sent, the only line ends with the response. Otherwise a second line has the
 * body.
 */
function linesOf({ at, event, tradeNo, merOrderNo, code, signVerifies, body, response }: Forwarded): string {
  const sign = signVerifies ? 'sign verifies' : 'sign does NOT verify'
  const line = [at.toISOString(), event, tradeNo, merOrderNo, `code ${code}`, sign].join('  ')
  if (response === undefined) return `${plain(line)}\n  ${plain(body)}`
  const { acknowledged, why, status, answer, latencyMs } = response
  const result = acknowledged ? 'acknowledged' : `not acknowledged: ${why}`
  const answered = status === null ? 'no answer' : `${status} ${JSON.stringify(answer)}`
  return plain(`${line}  → ${answered} in ${latencyMs} ms, ${result}`)
}

export const listenCommands: readonly Command[] = [listen]
