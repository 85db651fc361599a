// Every route that changes something leaves a line in the audit log. The exceptions are listed here with their reasons.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type RouteKey } from '../../../test/harness/back-office.ts'
import { changesByMerchants } from '../../../test/harness/every-change/by-merchants.ts'
import { changesByOperators } from '../../../test/harness/every-change/by-operators.ts'
import { changesByPeople } from '../../../test/harness/every-change/by-people.ts'
import { recorded } from '../../../test/harness/every-change/recorded-office.ts'
import { api } from './api.ts'

/** Routes that leave no line, with the reasons. */
const withoutLine: Readonly<Partial<Record<RouteKey, string>>> = {
  'POST /account/forgotten': 'asks for a mail; the use of its link leaves the line',
  'POST /account/link': 'reads what a link is for',
  'POST /account/passkeys/challenge': 'a number for the browser to sign; the passkey leaves the line',
  'POST /account/totp': 'a secret that does not count before it is confirmed',
  'POST /books/verify': 'reads the books, like the command',
  'POST /channels/:name/check': 'asks the counterparty something harmless, like the command',
  'POST /doctor': 'reads the installation, like the command',
  'POST /payouts/check': 'a preview',
  'POST /registration': 'asks for a mail; nothing exists before its link is used',
  'POST /reviews/:tradeNo/files': 'the file counts once an answer names it, and that leaves the line',
  'POST /session': 'the line comes when the sign-in is complete, which may take the second factor',
  'POST /session/passkey': 'a number for the browser to sign',
  'POST /signature/explain': 'computes what a signature should be, and stores nothing',
}

let office: BackOffice
before(async () => {
  // With this setting, the gateway gives up undelivered notifications within a second.
  office = await openBackOffice({ TOLLGATE_MINUTE_MS: '5' })
})
after(() => office.close())

test('every route that changes something writes to the audit log', async () => {
  const watched = recorded(office)
  for (const walk of [changesByMerchants, changesByPeople, changesByOperators]) await walk(watched)
  const changing = (Object.keys(api) as RouteKey[]).filter((name) => !name.startsWith('GET '))
  const uncalled = changing.filter((name) => !watched.linesOf.has(name))
  const silent = changing.filter((name) => watched.linesOf.get(name) === 0)
  assert.deepEqual(uncalled, [], 'each is called once')
  assert.deepEqual(silent.toSorted(), Object.keys(withoutLine).toSorted())
})
