// Orders that need more than requests: the payer decides on a page of the sandbox.
import { openPage, submit } from '../test/harness/browser.ts'
import { call, newNumber } from '../test/harness/client.ts'
import { eventually } from '../test/harness/eventually.ts'
import type { KnownOrders } from './known-orders.ts'
import type { World } from './world.ts'

const IN_REVIEW = 2
/** The state of an order for which more information is asked. */
const MORE_ASKED = 24

/** Makes SEPA payments above the threshold, which wait for information. */
export async function prepareReviews(world: World, orders: KnownOrders): Promise<void> {
  const makeOne = async () => {
    const tradeNo = await startPayment(world, 'SEPA', { currencyCode: 'EUR', sourceAmount: '20000.00' })
    await decide(world, tradeNo)
    if (!(await eventually(() => isInState(world, tradeNo, MORE_ASKED))))
      throw new Error(`${tradeNo} is not in review`)
    orders.add('review', { tradeNo })
  }
  await Promise.all(Array.from({ length: IN_REVIEW }, makeOne))
}

const TRIES = 5

/**
 * Starts a payment that waits for its payer. On a busy machine the counterparty may answer too late, so another payment
 * is tried.
 */
export async function startPayment(
  world: World,
  paymentType: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const tradeNo = await order(world, paymentType, fields)
    if (await isOpen(world, tradeNo)) return tradeNo
  }
  throw new Error(`no payment by ${paymentType} was opened`)
}

async function order(
  { account }: World,
  paymentType: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const body = {
    merNo: account.merNo,
    merOrderNo: newNumber(),
    returnUrl: 'https://shop.example/back',
    userId: 'payer-7',
    email: 'payer@example.com',
    userAgent: 'Mozilla/5.0',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
    ...fields,
  }
  const { code, message, data } = await call(account, '/payment', body, { paymentType })
  if (code !== '00000') throw new Error(`a payment by ${paymentType} was refused: ${message}`)
  return String(data.tradeNo)
}

async function isOpen({ db }: World, tradeNo: string): Promise<boolean> {
  const rows = await db.query({
    text: 'select 1 from attempts where trade_no = $1 and action is not null',
    values: [tradeNo],
  })
  return rows.length > 0
}

/** Plays the payer, who decides on the counterparty's page. */
export async function decide(
  { db, baseUrl }: World,
  tradeNo: string,
  decision: 'approve' | 'decline' = 'approve',
): Promise<void> {
  const [row] = await db.query<{ url: string | null }>({
    text: `select coalesce(action->>'appUrl', action->>'url') as url from attempts where trade_no = $1`,
    values: [tradeNo],
  })
  const page = await openPage(row?.url ?? '', undefined, baseUrl)
  await submit(page, { decision })
}

async function isInState({ db }: World, tradeNo: string, state: number): Promise<boolean> {
  const [row] = await db.query<{ state: number }>({
    text: 'select state from orders where trade_no = $1',
    values: [tradeNo],
  })
  return row?.state === state
}
