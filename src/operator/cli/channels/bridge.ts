import { isFiat } from '../../../platform/base/currency.ts'
import { readWebAddress, WEB_ADDRESS } from '../../../platform/base/web-address.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { type CheckResult, runChecks } from '../../../rails/bridge-check/run-checks.ts'
import { type InterfaceAccount, payoutMethods } from '../../../rails/contract/payout-rail.ts'
import { isMethod, type Method, methods } from '../../../rails/methods/methods.ts'
import type { Call, Command, Result } from '../command.ts'
import { plain } from '../shared/print.ts'
import { readTextFile } from '../shared/read-input.ts'

const check: Command = {
  name: 'bridge check',
  summary: "Check whether a bridge keeps the promises of the bridge protocol, with its rail's test account",
  options: {
    url: { value: 'URL', required: true, help: 'the address of the bridge, as in the channels file' },
    secret: { value: 'SECRET', required: true, help: 'the secret that both share, as in the channels file' },
    method: { value: 'METHOD', help: 'also check what this method shows to payers, or pays out to' },
    currency: { value: 'CUR', help: "the currency to check with (default: the method's, or USD)" },
    card: { value: 'NUMBER', help: 'a test card that the rail approves (default: 4242424242424242)' },
    token: {
      value: 'FILE',
      help: 'a test token of Apple Pay or Google Pay, for --method apple_pay or google_pay',
    },
  },
  run: checkBridge,
}

/**
 * The accounts that test payouts go to: sample numbers with valid check digits. For a card, the account is the token
 * that the bridge returns for "tokenise".
 */
const accounts: Readonly<Record<InterfaceAccount, { readonly account: string; readonly currency: string }>> =
  {
    card: { account: '', currency: 'USD' },
    bank_account: { account: 'DE89370400440532013000', currency: 'EUR' },
    pix: { account: '12ABC34501DE35', currency: 'BRL' },
    per_transfer: { account: '00219119184091600051', currency: 'PEN' },
    spei: { account: '032180000118359719', currency: 'MXN' },
  }

async function checkBridge({ given, tools }: Call): Promise<Result> {
  const url = readUrl(given.text('url') ?? '')
  const { method, payoutKind, isPayoutNamed, currency } = readMethod(
    given.text('method'),
    given.text('currency'),
  )
  const tokenFile = given.text('token')
  const bridge = {
    url,
    secret: given.text('secret') ?? '',
    method,
    payoutKind,
    isPayoutNamed,
    account: accounts[payoutKind].account,
    cardNumber: given.text('card') ?? '4242424242424242',
    walletToken: tokenFile === undefined ? undefined : (await readTextFile(tokenFile)).trim(),
    currency,
  }
  const printed: Promise<void>[] = []
  const done = (result: CheckResult) => {
    if (!tools.asJson) printed.push(tools.print(`${lineOf(result)}\n`))
  }
  const results = await runChecks(bridge, { done })
  await Promise.all(printed)
  const count = (wanted: CheckResult['result']) => results.filter(({ result }) => result === wanted).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  const text = `\n${passed} passed, ${failed} failed, ${skipped} skipped.`
  return { json: { passed, failed, skipped, checks: results }, text, status: failed === 0 ? 0 : 1 }
}

function lineOf({ name, title, result, why = '', todo = '' }: CheckResult): string {
  if (result === 'passed') return `ok       ${name}: ${title}`
  if (result === 'skipped') return `skipped  ${name}: ${title}\n         ${plain(why)}`
  return `FAILED   ${name}: ${title}\n         ${plain(why)}\n         ${todo}`
}

function readUrl(text: string): string {
  const address = readWebAddress(text)
  if (address !== undefined) return address
  throw new OperatorRefusal(`--url ${WEB_ADDRESS}`)
}

type Chosen = {
  readonly method: Method | undefined
  readonly payoutKind: InterfaceAccount
  readonly isPayoutNamed: boolean
  readonly currency: string
}

function readMethod(name: string | undefined, currency: string | undefined): Chosen {
  if (currency !== undefined && !isFiat(currency)) throw new OperatorRefusal('--currency must be like USD')
  const kind = payoutMethods.get(name ?? '')
  if (kind === 'coin') throw new OperatorRefusal('a bridge does not pay in coin: see the protocol evm')
  if (kind !== undefined)
    return {
      method: undefined,
      payoutKind: kind,
      isPayoutNamed: true,
      currency: currency ?? accounts[kind].currency,
    }
  const unnamed = { payoutKind: 'bank_account', isPayoutNamed: false } as const
  if (name === undefined) return { method: undefined, ...unnamed, currency: currency ?? 'USD' }
  if (!isMethod(name))
    throw new OperatorRefusal(`there is no method ${plain(name)}: use one of a channels file, such as spei`)
  const { currencies } = methods[name]
  const [usual = 'USD'] = currencies === 'any' ? [] : currencies
  return { method: name, ...unnamed, currency: currency ?? usual }
}

export const bridgeCommands: readonly Command[] = [check]
