import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clabe } from 'clabe-validator'
import { aReference } from '../../../test/builders/reference.ts'
import { type AccountKind, accountKinds } from '../contract/payout-rail.ts'
import { checkAccount } from './check-account.ts'

const kinds: readonly AccountKind[] = [...accountKinds, 'coin']

const IBANS = ['DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19', 'BR1800360305000010009795493C1']
const CCIS = ['00219119184091600051', '01124100019000658270', '01136600010003254221']
const CLABE = '032180000118359719'
const PIX = [
  '123.456.789-09',
  '12345678909',
  '11222333000181',
  '12ABC34501DE35',
  'payee@shop.example',
  '+5511987654321',
  '71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d',
]

function codeOf(kind: AccountKind, account: string, bankCode = ''): string {
  return checkAccount(aReference, { kind, account, bankCode })?.code ?? ''
}

const taken: Readonly<Record<AccountKind, readonly (readonly [account: string, bankCode?: string])[]>> = {
  card: [['4242424242424242'], ['378282246310005'], ['5555555555554444']],
  bank_account: [
    ...IBANS.map((iban) => [iban] as const),
    ['000123456789', 'BOFAUS3N'],
    [IBANS[0] ?? '', 'COBADEFFXXX'],
  ],
  pix: PIX.map((key) => [key] as const),
  per_transfer: [...CCIS.map((cci) => [cci] as const), [CCIS[0] ?? '', '02']],
  spei: [
    [CLABE],
    [clabe.calculate(12, 180, 1_234_567), '40012'],
    [clabe.calculate(646, 180, 157_000_000), '90646'],
  ],
  coin: [['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359']],
}

const refused: Readonly<
  Record<AccountKind, readonly (readonly [account: string, code: string, bankCode?: string])[]>
> = {
  card: [
    ['4242424242424241', '10105'],
    ['4242 4242 4242 4242', '10105'],
    ['', '10105'],
    ['42424242', '10105'],
  ],
  bank_account: [
    ['DE89370400440532013001', '10105'],
    ['DE8937040044053201300', '10105'],
    ['de', '10002'],
    ['000123456789', '10002'],
    ['000123456789', '10013', 'BOFAXX3N'],
    ['000123456789', '10013', '40012'],
    ['0001_2345', '10105', 'BOFAUS3N'],
    [IBANS[0] ?? '', '10013', 'NOBANK'],
    // The account is checked before the bank.
    ['DE89370400440532013001', '10105', 'NOBANK'],
  ],
  pix: [
    ['12345678900', '10105'],
    ['11222333000182', '10105'],
    ['12ABC34501DE36', '10105'],
    ['x', '10105'],
    ['', '10105'],
  ],
  per_transfer: [
    ['00219119184091600052', '10105'],
    ['0021911918409160005', '10105'],
    ['x', '10105'],
    [CCIS[0] ?? '', '10013', '99'],
  ],
  spei: [
    ['032180000118359718', '10105'],
    ['03218000011835971', '10105'],
    [CLABE, '10013', '99999'],
    [CLABE, '10105', '40012'],
    [clabe.calculate(4, 180, 1), '10013'],
  ],
  coin: [
    ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', '10105'],
    ['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3358', '10105'],
    ['3c499c542cEF5E3811e1192ce70d8cC03d5c3359', '10105'],
    [`0x${'0'.repeat(40)}`, '10105'],
    ['', '10105'],
  ],
}

for (const kind of kinds) {
  test(`${kind}: accepts accounts that can exist and refuses all others`, () => {
    for (const [account, bankCode] of taken[kind]) assert.equal(codeOf(kind, account, bankCode), '', account)
    for (const [account, code, bankCode] of refused[kind])
      assert.equal(codeOf(kind, account, bankCode), code, `${account} ${bankCode ?? ''}`)
  })
}

/** Yields the account with each digit replaced by each other digit. */
function* mutations(account: string): Generator<string> {
  for (const [at, was] of [...account].entries()) {
    if (!/\d/.test(was)) continue
    for (const digit of '0123456789')
      if (digit !== was) yield account.slice(0, at) + digit + account.slice(at + 1)
  }
}

test('an account with a single wrong digit is refused', () => {
  const accounts: readonly (readonly [AccountKind, string])[] = [
    ['card', '4242424242424242'],
    ['bank_account', 'DE89370400440532013000'],
    ['pix', '11222333000181'],
    ['per_transfer', CCIS[0] ?? ''],
    ['per_transfer', CCIS[1] ?? ''],
    ['spei', CLABE],
  ]
  for (const [kind, account] of accounts)
    for (const wrong of mutations(account)) assert.notEqual(codeOf(kind, wrong), '', `${kind} ${wrong}`)
})

test('a refusal never repeats the account', () => {
  for (const kind of kinds)
    for (const [account, , bankCode = ''] of refused[kind])
      if (account.length > 4)
        assert.doesNotMatch(
          checkAccount(aReference, { kind, account, bankCode })?.message ?? '',
          new RegExp(account),
        )
})
