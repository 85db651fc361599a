import { isSound, verifyBooks } from '../../../money/audit/verify-books.ts'
import { mayDo } from '../../../money/merchants/merchant.ts'
import { linkUrl, makeLink } from '../../../money/payment-links/make-link.ts'
import { isFiat } from '../../../platform/base/currency.ts'
import { formatAmount, parseAmount } from '../../../platform/base/money.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { connectDatabase } from '../../../platform/runtime/open-database.ts'
import { readEntries } from '../../../rails/connections/channel-settings.ts'
import type { Channel } from '../../../rails/contract/channel.ts'
import type { ChannelSettings } from '../../../rails/contract/settings.ts'
import { examine } from '../../doctor/examine.ts'
import { confirmed, isConfirmable } from '../../golive/care-steps.ts'
import { linkProblem } from '../../golive/link-problem.ts'
import { makeProof, proofProblem } from '../../golive/restored.ts'
import { steps, type Walked, walk } from '../../golive/walk.ts'
import type { Command, Tools } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { connectionNamed } from '../shared/connection-named.ts'
import { plain } from '../shared/print.ts'
import { findMerchant, readMerNo } from '../shared/show-merchant.ts'

const CHECK_WITHIN_MS = 30_000

const golive: Command = {
  name: 'golive',
  summary: 'Check the way to live step by step, and say what to do next',
  options: {},
  async run({ tools }) {
    const { config, clock, say } = tools
    const deps = {
      config,
      database: tools.database,
      clock,
      examine: () => examine({ config, clock, openDatabase: (settings) => connectDatabase(settings, say) }),
      merchant: async (merNo: number) => findMerchant(await tools.database(), tools, merNo),
      entries: () => readEntries(config()),
      check: async ({ name }: ChannelSettings) =>
        (await connectionNamed(tools, name)).check(AbortSignal.timeout(CHECK_WITHIN_MS)),
    }
    const walked = await walk(deps)
    const isLive = walked.every(({ isDone }) => isDone)
    return { json: { isLive, steps: walked }, text: inWords(walked, isLive), status: isLive ? 0 : 1 }
  },
}

function inWords(walked: readonly Walked[], isLive: boolean): string {
  const lines = steps.map(({ name, title }, at) => {
    const one = walked.find((step) => step.name === name)
    const mark = one === undefined ? ' ' : one.isDone ? 'x' : '>'
    return `[${mark}] ${at + 1}. ${title}${one === undefined ? '' : `: ${plain(one.found)}`}`
  })
  const next = walked.find(({ isDone }) => !isDone)
  if (isLive) return [...lines, '', 'Everything is done: you are live.'].join('\n')
  return [...lines, '', `Next: ${plain(next?.todo ?? '')}. Then run "golive" again.`].join('\n')
}

const link: Command = {
  name: 'golive link',
  argument: 'MERNO',
  summary: 'Make a payment link for a first payment of a small amount',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: 'first payment' }),
  options: {
    currency: { value: 'EUR', required: true, help: 'the currency' },
    amount: { value: '1.00', required: true, help: 'the amount' },
  },
  async run({ argument, given, tools }) {
    const [currency = '', text = ''] = [given.text('currency'), given.text('amount')]
    const amount = isFiat(currency) ? parseAmount(text, currency) : undefined
    if (amount === undefined || amount <= 0n)
      throw new OperatorRefusal(`${plain(text)} ${plain(currency)} is not an amount`)
    const db = await tools.database()
    const merchant = await findMerchant(db, tools, readMerNo(argument))
    const { merNo, state, currencies } = merchant
    if (!mayDo(state, 'pay')) throw new OperatorRefusal(`merchant ${merNo} is ${state}`)
    if (!currencies.has(currency))
      throw new OperatorRefusal(
        `merchant ${merNo} takes ${[...currencies.keys()].join(', ')}, not ${currency}`,
      )
    const deps = { db, clock: tools.clock, channels: await channelsOf(tools) }
    const problem = await linkProblem(deps, merchant, { amount, currency })
    if (problem !== undefined) throw new OperatorRefusal(problem)
    const wanted = {
      merNo,
      title: 'First payment',
      currency,
      amount,
      least: undefined,
      most: undefined,
      method: undefined,
      uses: 'one' as const,
      expiresAt: undefined,
      language: '',
      reference: 'golive',
      notifyUrl: '',
      createdBy: commandActor().name,
      createdAt: tools.clock.now(),
    }
    const { linkId } = await makeLink(db, wanted, async () => {})
    const url = linkUrl(tools.config().baseUrl, linkId)
    const pay = `Pay ${formatAmount(amount, currency)} ${currency} here, with your own card or account:`
    return { json: { linkId, url }, text: [pay, `  ${url}`, 'Then run "golive" again.'].join('\n') }
  },
}

/** The channels of the channels file. Undefined in sandbox, where the gateway may have further channels. */
async function channelsOf(tools: Tools): Promise<Channel[] | undefined> {
  if (tools.config().mode !== 'live') return undefined
  const entries = await readEntries(tools.config())
  const connections = await Promise.all(entries.map(({ name }) => connectionNamed(tools, name)))
  return connections.flatMap(({ channels }) => channels)
}

const confirm: Command = {
  name: 'golive confirm',
  argument: 'STEP',
  summary: `Confirm a step that this machine cannot check alone (${confirmed.join(' or ')}), with --why what you saw`,
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {
    proof: { value: 'TEXT', help: 'for backups: what "golive restored" printed on the copy' },
    why: { value: 'TEXT', help: 'what you saw, for the audit log' },
  },
  async run({ argument, given, tools }) {
    if (!isConfirmable(argument))
      throw new OperatorRefusal(`only ${confirmed.join(' and ')} are confirmed by hand`)
    if (given.text('why') === undefined)
      throw new OperatorRefusal('say what you saw, for example --why "restored on the spare machine"')
    const db = await tools.database()
    if (argument === 'backups') {
      const deps = { db, vault: await tools.vault(), clock: tools.clock }
      const proof = given.text('proof')
      if (proof === undefined)
        throw new OperatorRefusal('--proof is missing: give it what "golive restored" prints on the copy')
      const problem = await proofProblem(deps, proof)
      if (problem !== undefined) throw new OperatorRefusal(`--proof: ${problem}`)
    }
    // The transaction is empty. `db` adds the line of the audit log to it.
    await db.transaction(async () => {})
    return { json: { step: argument, confirmed: true }, text: `${argument} is confirmed for 90 days.` }
  },
}

const restored: Command = {
  name: 'golive restored',
  summary: 'On a restored copy: verify its books, and print what "golive confirm backups" wants to see',
  options: {
    database: {
      value: 'NAME',
      help: 'the name of the copy on the server of DATABASE_URL, or its own postgres:// address; without it, the settings lead to the copy',
    },
  },
  async run({ given, tools }) {
    const { clock } = tools
    const { db, vault } = await toolsFor(tools, given.text('database'))
    if (!isSound(await verifyBooks({ db, clock })))
      throw new OperatorRefusal('the books of the copy are not sound: "ledger verify" shows why')
    const proof = await makeProof({ db, vault, clock })
    if (proof === undefined)
      throw new OperatorRefusal('the copy has no orders: make a backup after the first payment')
    const confirmWith = `golive confirm backups --why 'where it was restored' --proof ${proof}`
    return { json: { proof }, text: `The copy is sound. On the live machine, run:\n  ${confirmWith}` }
  },
}

/** Opens the restored copy. Without `copy`, the settings lead to the copy. */
async function toolsFor(tools: Tools, copy: string | undefined): Promise<{ db: Db; vault: Vault }> {
  if (copy === undefined) return { db: await tools.database(), vault: await tools.vault() }
  const at = tools.at({ DATABASE_URL: addressOf(copy, tools.config().databaseUrl) })
  return { db: await at.database(), vault: await at.vault() }
}

function addressOf(copy: string, live: string | undefined): string {
  if (copy.includes('://')) return copy
  const [, server, rest = ''] = /^([a-z]+:\/\/[^/?#]*)[^?#]*(.*)$/.exec(live ?? '') ?? []
  if (server === undefined)
    throw new OperatorRefusal(
      '--database is for a server of your own, which DATABASE_URL names; for a copy of the data folder set TOLLGATE_DATA_DIR to it',
    )
  return `${server}/${encodeURIComponent(copy)}${rest}`
}

/** Longer names come first, because `findCommand` takes the first command whose words match. */
export const goliveCommands: readonly Command[] = [link, confirm, restored, golive]
