import {
  approveWebsite,
  askForWebsite,
  changeState,
  removeMethodPlan,
  removeRoute,
  removeWebsite,
  rotateKey,
  setMethodPlan,
  setOptions,
  setRoute,
  setRsaKey,
  type Transition,
} from '../../../money/merchants/change-merchant.ts'
import { createMerchant } from '../../../money/merchants/create-merchant.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { readMethod, readOptions, readRoutedMethod } from '../../../money/merchants/options.ts'
import { readSite } from '../../../money/merchants/site.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { isOfSandbox } from '../../../platform/runtime/open-database.ts'
import { readEntries } from '../../../rails/connections/channel-settings.ts'
import { routeProblem, servedByEntries } from '../../../rails/routing/served.ts'
import { demoFile, updateDemo } from '../../demo/demo-file.ts'
import { type Audited, type Call, type Command, type Result, type Tools, UsageError } from '../command.ts'
import { columns } from '../shared/print.ts'
import { readTextFile } from '../shared/read-input.ts'
import { findMerchant, readMerNo, showMerchant, warnOfMissingLimits } from '../shared/show-merchant.ts'
import { merchantOptions, optionTexts, optionTextsAndLogo, termOptions } from './merchant-options.ts'

const { name, site, ...otherOptions } = merchantOptions

const create: Command = {
  name: 'merchant create',
  summary: 'Create a merchant and its keys',
  audit: (_call, made) => madeMerchant(made),
  options: {
    name: { help: "the merchant's name", ...name, required: true },
    site: { help: 'a website of the merchant', ...site, required: true },
    pending: { help: 'it must be approved before it may take payments' },
    'with-balances': { help: 'the merchant of a sandbox begins with balances to pay out' },
    ...otherOptions,
  },
  async run({ given, tools }) {
    const options = readOptions(await optionTextsAndLogo(given))
    const pending = given.flag('pending')
    const db = await tools.database()
    const hasOpeningBalances = given.flag('with-balances')
    if (hasOpeningBalances && !(await isOfSandbox(db)))
      throw new OperatorRefusal('only a merchant of a sandbox can begin with balances')
    const wanted = { options, pending, hasOpeningBalances, now: tools.clock.now() }
    const vault = await tools.vault()
    const made = await db.transaction((tx) => createMerchant(tx, vault, wanted))
    sayMissingLimits(tools, await findMerchant(db, tools, made.merNo))
    const text = [
      `Merchant ${made.merNo} is ${pending ? 'created and waits for approval' : 'active'}.`,
      columns([
        ['  key', made.key],
        ['  webhookSecret', made.webhookSecret],
      ]),
      'They are shown only once. Send them to the merchant over a secure channel.',
    ]
    return { json: made, text: text.join('\n') }
  },
}

function madeMerchant(made: unknown): Audited {
  const merNo = typeof made === 'object' && made !== null && 'merNo' in made ? Number(made.merNo) : 0
  return { merNo, subject: String(merNo) }
}

function stateCommand(transition: Transition, summary: string): Command {
  return {
    name: `merchant ${transition}`,
    argument: 'MERNO',
    summary,
    audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
    options: {},
    async run({ argument, tools }) {
      const merNo = readMerNo(argument)
      const state = await changeState(await tools.database(), merNo, transition)
      return { json: { merNo, state }, text: `Merchant ${merNo} is ${state}.` }
    },
  }
}

const show: Command = {
  name: 'merchant show',
  argument: 'MERNO',
  summary: 'Show everything about a merchant except its secrets',
  options: {},
  run: ({ argument, tools }) => showMerchant(tools, readMerNo(argument)),
}

const set: Command = {
  name: 'merchant set',
  argument: 'MERNO',
  summary: "Change a merchant's options; a list replaces the old one",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: merchantOptions,
  run: changeOptions,
}

async function changeOptions({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const texts = await optionTextsAndLogo(given)
  if (Object.values(texts).every((text) => text === undefined))
    throw new UsageError('give at least one option to change', set)
  const db = await tools.database()
  await setOptions(db, merNo, readOptions(texts), tools.clock.now())
  const merchant = await findMerchant(db, tools, merNo)
  const { requireRsa, rsaKey } = merchant
  if (requireRsa && rsaKey === undefined) {
    tools.say(
      `Merchant ${merNo} has no RSA key yet: all its requests are refused until you run "merchant set-rsa".`,
    )
  }
  sayMissingLimits(tools, merchant)
  return showMerchant(tools, merNo)
}

function sayMissingLimits(tools: Tools, merchant: Merchant): void {
  const warning = warnOfMissingLimits(merchant)
  if (warning !== undefined) tools.say(warning)
}

const setRsa: Command = {
  name: 'merchant set-rsa',
  argument: 'MERNO',
  summary: "Register a merchant's RSA public key; the previous one stops working immediately",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: { file: { value: 'PEM', required: true, help: 'the file with the public key' } },
  async run({ argument, given, tools }) {
    const merNo = readMerNo(argument)
    const pem = await readTextFile(given.text('file') ?? '')
    await setRsaKey(await tools.database(), await tools.vault(), { merNo, pem, now: tools.clock.now() })
    return { json: { merNo, rsaKey: true }, text: `Merchant ${merNo} may sign with its RSA key from now on.` }
  },
}

const rotate: Command = {
  name: 'merchant rotate-key',
  argument: 'MERNO',
  summary: 'Create a new merchant key; the previous one stays valid for 24 hours',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: { 'end-old-key': { help: 'end the old key of an earlier rotation at once' } },
  async run({ argument, given, tools }) {
    const merNo = readMerNo(argument)
    const rotation = { merNo, now: tools.clock.now(), endsOldKey: given.flag('end-old-key') }
    const key = await rotateKey(await tools.database(), await tools.vault(), rotation)
    const { dataDir } = tools.config()
    if (await updateDemo(dataDir, merNo, { key })) tools.say(`${demoFile(dataDir)} now holds the new key.`)
    const text = `The new key of merchant ${merNo}, shown only once: ${key}\nThe previous key stays valid for 24 hours.`
    return { json: { key }, text }
  },
}

const route: Command = {
  name: 'merchant route',
  argument: 'MERNO',
  summary: 'Choose the channels that serve a method or a kind of payout; without a choice all of them do',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    method: { value: 'card', required: true, help: 'the method, or a kind of payout such as payout_bank' },
    channel: { value: 'NAME', required: true, help: "the channel's name in the settings" },
    priority: { value: '1', help: '1 to 100; the lowest is tried first (default: 1)' },
    weight: { value: '1', help: '1 to 1000; the share among channels of the same priority (default: 1)' },
    off: { help: 'stop using the channel for the method' },
  },
  run: changeRoute,
}

const MOST_PRIORITY = 100
const MOST_WEIGHT = 1000

async function changeRoute({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const method = readRoutedMethod(given.text('method') ?? '')
  const channel = readChannel(given.text('channel') ?? '')
  const isOff = given.flag('off')
  const [priority, weight] = [given.text('priority'), given.text('weight')]
  if (isOff && (priority !== undefined || weight !== undefined))
    throw new UsageError('--off takes neither --priority nor --weight', route)
  if (!isOff) await requireServed(tools, method, channel)
  const db = await tools.database()
  if (isOff) await removeRoute(db, merNo, method, channel)
  else
    await setRoute(db, merNo, method, {
      channel,
      priority: readWhole('--priority', priority ?? '1', MOST_PRIORITY),
      weight: readWhole('--weight', weight ?? '1', MOST_WEIGHT),
    })
  return showMerchant(tools, merNo)
}

/**
 * In live, refuses a route to a channel that does not serve the method. An empty channels file allows every route. In
 * sandbox every route is accepted, because some channels are known only to the gateway.
 */
async function requireServed(tools: Tools, method: string, channel: string): Promise<void> {
  if (tools.config().mode !== 'live') return
  const entries = await readEntries(tools.config())
  if (entries.length === 0) return
  const problem = routeProblem({ method, channel }, servedByEntries(entries))
  if (problem !== undefined) throw new OperatorRefusal(problem)
}

function readChannel(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(text)) return text
  throw new OperatorRefusal(`${text} is not a channel name: use up to 40 lower-case letters, digits, - and _`)
}

function readWhole(what: string, text: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 1 && value <= most) return value
  throw new OperatorRefusal(`${what} must be a whole number from 1 to ${most}`)
}

const website: Command = {
  name: 'merchant site',
  argument: 'MERNO',
  summary: "Request, approve or remove one website of a merchant ('merchant set --site' replaces all)",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    ask: { value: 'HOST', help: 'record that the merchant requests it; it is not accepted yet' },
    approve: { value: 'HOST', help: 'accept it from now on' },
    remove: { value: 'HOST', help: 'accept it no longer' },
  },
  run: changeSite,
}

async function changeSite({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const [ask, approve, remove] = [given.text('ask'), given.text('approve'), given.text('remove')].map(
    readHost,
  )
  if ([ask, approve, remove].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('give exactly one of --ask, --approve and --remove', website)
  const db = await tools.database()
  if (ask !== undefined) await askForWebsite(db, merNo, ask)
  if (approve !== undefined) await approveWebsite(db, merNo, approve, tools.clock.now())
  if (remove !== undefined) await removeWebsite(db, merNo, remove)
  return showMerchant(tools, merNo)
}

function readHost(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const host = readSite(text)
  if (host === undefined)
    throw new OperatorRefusal(`${text} is not a website: give host, host:port or *.host`)
  return host
}

const plan: Command = {
  name: 'merchant plan',
  argument: 'MERNO',
  summary:
    'Give one method its own fee plan; a new plan copies what you leave out from the plan for all methods',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    method: { value: 'card', required: true, help: 'the method' },
    ...termOptions,
    remove: { help: 'use the plan for all methods again' },
  },
  run: changePlan,
}

async function changePlan({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const method = readMethod(given.text('method') ?? '')
  const changes = Object.keys(termOptions).some((name) => given.text(name) !== undefined)
  // A call without options is refused. The method would get a copy of the plan for all methods, and later changes of
  // that plan would not apply to the method.
  if (changes === given.flag('remove')) throw new UsageError('give an option to change, or --remove', plan)
  const db = await tools.database()
  if (changes) await setMethodPlan(db, merNo, method, readOptions(optionTexts(given)))
  else await removeMethodPlan(db, merNo, method)
  return showMerchant(tools, merNo)
}

export const merchantCommands: readonly Command[] = [
  create,
  stateCommand('approve', 'Let a pending or suspended merchant take payments'),
  stateCommand('suspend', 'Refuse new payments and payouts of a merchant'),
  stateCommand('close', 'Close a merchant for good; it may only query'),
  show,
  set,
  plan,
  route,
  website,
  setRsa,
  rotate,
]
