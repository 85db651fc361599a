import { demoFile, updateDemo } from '../demo/demo-file.ts'
import {
  changeState,
  rotateKey,
  setOptions,
  setRsaKey,
  type Transition,
} from '../merchants/change-merchant.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { readOptions } from '../merchants/options.ts'
import { type Audited, type Call, type Command, type Result, type Tools, UsageError } from './command.ts'
import { merchantOptions, optionTextsAndLogo } from './merchant-options.ts'
import { plan } from './merchant-plan.ts'
import { route } from './merchant-route.ts'
import { website } from './merchant-site.ts'
import { columns } from './print.ts'
import { readTextFile } from './read-file.ts'
import { findMerchant, readMerNo, showMerchant, warnOfMissingLimits } from './show-merchant.ts'

const { name, site, ...otherOptions } = merchantOptions

const create: Command = {
  name: 'merchant create',
  summary: 'Create a merchant and its keys',
  audit: (_call, made) => madeMerchant(made),
  options: {
    name: { help: "the merchant's name", ...name, required: true },
    site: { help: 'a website of the merchant', ...site, required: true },
    pending: { help: 'it must be approved before it may take payments' },
    ...otherOptions,
  },
  async run({ given, tools }) {
    const options = readOptions(await optionTextsAndLogo(given))
    const pending = given.flag('pending')
    const db = await tools.database()
    const wanted = { options, pending, now: tools.clock.now() }
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
  if (Object.values(texts).every((text) => text === undefined)) {
    throw new UsageError('give at least one option to change', set)
  }
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
  options: {},
  async run({ argument, tools }) {
    const merNo = readMerNo(argument)
    const key = await rotateKey(await tools.database(), await tools.vault(), merNo, tools.clock.now())
    const { dataDir } = tools.config()
    if (await updateDemo(dataDir, merNo, { key })) tools.say(`${demoFile(dataDir)} now holds the new key.`)
    const text = `The new key of merchant ${merNo}, shown only once: ${key}\nThe previous key stays valid for 24 hours.`
    return { json: { key }, text }
  },
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
