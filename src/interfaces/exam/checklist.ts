// The checklist before a merchant goes live. Every item is computed from the exam or from the merchant's data.
import { findOldKeys } from '../../money/merchants/keys.ts'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { hadChallenge } from '../../money/order-queries/find-attempts.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { SUCCESS } from '../../platform/request-log/entry.ts'
import { listRequests } from '../../platform/request-log/find-requests.ts'
import { endpoints } from '../merchant-api/endpoints.ts'
import { NUMBER_PREFIX } from './orders.ts'

export type CheckName = keyof typeof todos

export type CheckItem = {
  readonly name: CheckName
  readonly done: boolean
  readonly optional: boolean
  readonly todo: string
}

/** The items of the checklist. The web app repeats these texts, and a test compares them. */
export const todos = {
  exam: 'Pass every exercise of the exam',
  payment: 'Make a payment with your own program',
  challenge: 'Pay with a card that asks for 3-D Secure: 4000000000003220',
  refund: 'Refund an order with your own program',
  query: 'Ask for an order by its number, as after a time-out',
  https: 'Receive notifications at an https address',
  website: 'Have the website of your shop approved',
  addresses: 'Accept requests only from the addresses of your servers',
  key: 'Make a new merchant key, and see that your program changes over',
  rsa: 'Register an RSA key',
} as const

export type ChecklistDeps = { readonly db: Db; readonly vault: Vault }

export type Examined = {
  readonly merchant: Merchant
  readonly passed: boolean
  readonly notifyUrl: URL
  /** The numbers of the exam's own orders. */
  readonly numbers: readonly string[]
  readonly now: Date
}

const MOST_REQUESTS = 200

export async function makeChecklist(deps: ChecklistDeps, examined: Examined): Promise<readonly CheckItem[]> {
  const { merchant, passed, notifyUrl, now } = examined
  const { merNo, websites, ips, requireIp, rsaKey, keys } = merchant
  const oldKeys = await findOldKeys(deps.db, deps.vault, merNo, now)
  const has = (endpoint: string) => hasCalled(deps.db, endpoint, examined)
  const done: Readonly<Record<CheckName, boolean>> = {
    exam: passed,
    payment: await hasPaid(has),
    challenge: await hadChallenge(deps.db, merNo),
    refund: await has('/refund/apply'),
    query: await has('/order/query'),
    https: notifyUrl.protocol === 'https:',
    website: websites.some((site) => !site.startsWith('localhost')),
    addresses: requireIp && ips.length > 0,
    key: keys.length > 1 || oldKeys.length > 0,
    rsa: rsaKey !== undefined,
  }
  return checkNames.map((name) => ({ name, done: done[name], optional: name === 'rsa', todo: todos[name] }))
}

const checkNames = Object.keys(todos).filter((name): name is CheckName => name in todos)

/** The endpoints that take payments. */
const paying = Object.entries(endpoints)
  .filter(([, { does }]) => does === 'pay')
  .map(([path]) => path)

async function hasPaid(has: (endpoint: string) => Promise<boolean>): Promise<boolean> {
  for (const endpoint of paying) if (await has(endpoint)) return true
  return false
}

/** True if the merchant has called the endpoint successfully. Calls for orders of the exam do not count. */
async function hasCalled(db: Db, endpoint: string, { merchant, numbers }: Examined): Promise<boolean> {
  const filter = { merNo: merchant.merNo, endpoint, code: SUCCESS }
  const requests = await listRequests(db, filter, MOST_REQUESTS)
  return requests.some(({ merOrderNo }) => {
    return !merOrderNo?.startsWith(NUMBER_PREFIX) && !numbers.includes(merOrderNo ?? '')
  })
}
