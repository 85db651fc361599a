// A decision that depends on a merchant's balances locks them first: they stay as they are until the commit. One merchant
// a transaction: then every transaction meets balances in the same order, and none waits in a circle.
import type { Tx } from '../base/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'

/** Credits less debits. */
export type MerchantBalances = {
  available(currency: string): bigint
  unsettled(currency: string): bigint
}

/** Every account of the merchant's own in these currencies; one without a booking yet gets its row, to be locked by. */
export async function lockBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<MerchantBalances> {
  const rows = await tx.query<{ account: string; currency: string; net: bigint }>({
    name: 'balances.lock',
    text: lockText,
    values: [merNo, [AVAILABLE, MARGIN, UNSETTLED], [...new Set(currencies)]],
  })
  const nets = new Map(rows.map(({ account, currency, net }) => [`${account} ${currency}`, net]))
  return {
    available: (currency) => nets.get(`${AVAILABLE} ${currency}`) ?? 0n,
    unsettled: (currency) => nets.get(`${UNSETTLED} ${currency}`) ?? 0n,
  }
}

const lockText = `
  insert into balances as b (mer_no, account, currency, debits, credits)
  select $1::bigint, account, currency, 0, 0
  from unnest($2::text[]) as a (account) cross join unnest($3::text[]) as c (currency)
  order by account, currency
  on conflict (mer_no, account, currency) do update set debits = b.debits
  returning b.account, b.currency, b.credits - b.debits as net`
