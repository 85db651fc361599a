// Owns merchants, their websites, keys, currencies, routes and fee plans. Every change of a merchant, by an operator or
// by the merchant's staff, locks the merchant's row first, and announces the change to all nodes in the same
// transaction. `markKeyUsed` is the exception: it locks only the key's row, and announces only the first use.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import type { MerchantState } from './merchant.ts'
import { type FeePlan, termNames, terms } from './terms.ts'

/** A row of the table `merchants`. A null has the meaning that `MerchantOptions` (options.ts) states for the option. */
export type MerchantRow = {
  readonly mer_no: bigint
  readonly name: string
  readonly state: MerchantState
  readonly timezone: string
  readonly methods: string[] | null
  readonly card_brands: string[] | null
  readonly require_rsa: boolean
  readonly require_ip: boolean
  readonly sign_answers: boolean
  readonly notify_review: boolean
  readonly amounts_in_notifications: boolean
  readonly ips: string[]
  readonly limit_single: bigint | null
  readonly limit_daily: bigint | null
  readonly limit_monthly: bigint | null
  readonly refund_credit: bigint
  readonly approve_refunds: boolean
  readonly payout_approval: bigint | null
  readonly chargeback_url: string
  readonly review_above: bigint | null
  readonly accent: string | null
  readonly created_at: Date
}

export type KeyKind = 'md5' | 'rsa' | 'webhook'

export type KeyRow = {
  readonly keyId: string
  readonly kind: KeyKind
  /** The encrypted secret as base64. */
  readonly sealed: string
  readonly usedAt: string | null
  readonly retiresAt: string | null
}

export type WholeMerchantRow = MerchantRow & {
  readonly has_logo: boolean
  readonly websites: string[]
  readonly asked_websites: string[]
  readonly keys: KeyRow[]
  readonly currencies: Record<string, string>
  readonly fee_plans: Record<string, FeePlan>
  readonly routes: RouteRow[]
}

export type RouteRow = {
  readonly method: string
  readonly channel: string
  readonly priority: number
  readonly weight: number
}

const names = [
  'mer_no',
  'name',
  'state',
  'timezone',
  'methods',
  'card_brands',
  'require_rsa',
  'require_ip',
  'sign_answers',
  'notify_review',
  'amounts_in_notifications',
  'ips',
  'limit_single',
  'limit_daily',
  'limit_monthly',
  'refund_credit',
  'approve_refunds',
  'payout_approval',
  'chargeback_url',
  'review_above',
  'accent',
  'created_at',
] as const satisfies readonly (keyof MerchantRow)[]

const columns = names.join(', ')
const placeholders = names.map((_, at) => `$${at + 1}`).join(', ')

function valuesOf(row: MerchantRow): unknown[] {
  return names.map((name) => row[name])
}

const planTerms = termNames.map((name) => {
  const { column, initial } = terms[name]
  return { name, column, value: typeof initial === 'string' ? `${column}::text` : column }
})

export const termColumns = {
  all: planTerms.map(({ column }) => column).join(', '),
  /** The columns, each renamed to its field of `FeePlan`. */
  read: planTerms.map(({ name, value }) => `${value} as "${name}"`).join(', '),
  /** The placeholders of the terms, from $3 on. */
  from3: planTerms.map((_, at) => `$${at + 3}`).join(', '),
  replace: planTerms.map(({ column }) => `${column} = excluded.${column}`).join(', '),
}

const planFields = planTerms.map(({ name, value }) => `'${name}', ${value}`).join(', ')

/** Inserts the merchant. Returns false if the number is taken. */
export async function insertMerchant(tx: Tx, row: MerchantRow): Promise<boolean> {
  const inserted = await tx.query({
    text: `insert into merchants (${columns})
      values (${placeholders})
      on conflict (mer_no) do nothing returning mer_no`,
    values: valuesOf(row),
  })
  return inserted.length === 1
}

export async function lockMerchant(tx: Tx, merNo: number): Promise<MerchantRow | undefined> {
  const rows = await tx.query<MerchantRow>({
    text: `select ${columns} from merchants where mer_no = $1 for update`,
    values: [merNo],
  })
  return rows[0]
}

export async function updateMerchant(tx: Tx, row: MerchantRow): Promise<void> {
  await tx.query({
    text: `update merchants set (${columns}) = (${placeholders}) where mer_no = $1`,
    values: valuesOf(row),
  })
}

/** Updates the logo. No other update writes the logo, because `MerchantRow` does not contain it. */
export async function updateLogo(tx: Tx, merNo: number, logo: Buffer | null): Promise<void> {
  await tx.query({ text: 'update merchants set logo = $2 where mer_no = $1', values: [merNo, logo] })
}

export async function selectLogo(db: Queryable, merNo: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ logo: Buffer | null }>({
    text: 'select logo from merchants where mer_no = $1',
    values: [merNo],
  })
  return row?.logo ?? undefined
}

/** Selects the merchants in a single statement, so that all parts come from one snapshot. */
export async function selectMerchants(
  db: Queryable,
  merNos: readonly number[],
  now: Date,
): Promise<WholeMerchantRow[]> {
  return db.query<WholeMerchantRow>({
    name: 'select_merchants',
    text: `select ${columns}, logo is not null as has_logo,
      (select coalesce(json_agg(w.site order by w.site), '[]') from merchant_websites w
        where w.mer_no = m.mer_no and w.approved_at is not null) as websites,
      (select coalesce(json_agg(w.site order by w.site), '[]') from merchant_websites w
        where w.mer_no = m.mer_no and w.approved_at is null) as asked_websites,
      (select coalesce(json_agg(json_build_object('keyId', k.key_id, 'kind', k.kind,
          'sealed', encode(k.sealed, 'base64'), 'usedAt', k.last_used_at, 'retiresAt', k.retires_at)
          order by k.retires_at desc nulls first, k.made_at desc, k.key_id), '[]') from merchant_keys k
        where k.mer_no = m.mer_no and (k.retires_at is null or k.retires_at > $2)) as keys,
      (select coalesce(json_object_agg(c.currency, c.settle_currency order by c.currency), '{}')
        from merchant_currencies c where c.mer_no = m.mer_no) as currencies,
      (select coalesce(json_object_agg(f.method, json_build_object(${planFields})), '{}')
        from fee_plans f where f.mer_no = m.mer_no) as fee_plans,
      (select coalesce(json_agg(json_build_object('method', r.method, 'channel', r.channel, 'priority', r.priority,
          'weight', r.weight) order by r.method, r.priority, r.channel), '[]')
        from merchant_channels r where r.mer_no = m.mer_no) as routes
      from merchants m where m.mer_no = any (${wanted.text})`,
    values: [wanted.value(merNos), now],
  })
}

const wanted = arrayOf(int8<number>(itself))

export async function selectFeePlan(tx: Tx, merNo: number, method: string): Promise<FeePlan | undefined> {
  const rows = await tx.query<FeePlan>({
    text: `select ${termColumns.read} from fee_plans where mer_no = $1 and method = $2`,
    values: [merNo, method],
  })
  return rows[0]
}

export async function upsertFeePlan(tx: Tx, merNo: number, method: string, plan: FeePlan): Promise<void> {
  await tx.query({
    text: `insert into fee_plans (mer_no, method, ${termColumns.all})
      values ($1, $2, ${termColumns.from3})
      on conflict (mer_no, method) do update set ${termColumns.replace}`,
    values: [merNo, method, ...termNames.map((name) => plan[name])],
  })
}

export async function deleteFeePlan(tx: Tx, merNo: number, method: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from fee_plans where mer_no = $1 and method = $2 returning method',
    values: [merNo, method],
  })
  return rows.length > 0
}

export async function insertKey(
  tx: Tx,
  key: { merNo: number; keyId: string; kind: KeyKind; sealed: Buffer; madeAt: Date },
): Promise<void> {
  await tx.query({
    text: 'insert into merchant_keys (mer_no, key_id, kind, sealed, made_at) values ($1, $2, $3, $4, $5)',
    values: [key.merNo, key.keyId, key.kind, key.sealed, key.madeAt],
  })
}

/** Retires the current key of this kind at `until`. A key that was already being rotated out ends at `now`. */
export async function retireKeys(
  tx: Tx,
  merNo: number,
  kind: KeyKind,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.query({
    text: `update merchant_keys set retires_at = case when retires_at is null then $4::timestamptz else $3::timestamptz end
      where mer_no = $1 and kind = $2 and (retires_at is null or retires_at > $3)`,
    values: [merNo, kind, now, until],
  })
}

/** Selects the end of the merchant key that is being rotated out. Undefined if no rotation is under way. */
export async function selectOldKeyEnd(tx: Tx, merNo: number, now: Date): Promise<Date | undefined> {
  const [row] = await tx.query<{ ends: Date }>({
    text: `select retires_at as ends from merchant_keys where mer_no = $1 and kind = 'md5' and retires_at > $2
      order by retires_at desc limit 1`,
    values: [merNo, now],
  })
  return row?.ends
}

/** Records a use of a key if the last recorded use is older than `unless`. Only a key's first use is announced. */
export async function markKeyUsed(
  db: Queryable,
  merNo: number,
  keyId: string,
  { now, unless }: { readonly now: Date; readonly unless: Date },
): Promise<void> {
  await db.query({
    text: `with known as (
        select last_used_at from merchant_keys where mer_no = $1 and key_id = $2 for no key update
      ), marked as (
        update merchant_keys k set last_used_at = $3 from known
        where mer_no = $1 and key_id = $2 and (known.last_used_at is null or known.last_used_at < $4)
        returning known.last_used_at is null as is_first
      ) select pg_notify('merchants', $1::text) from marked where is_first`,
    values: [merNo, keyId, now, unless],
  })
}

/** Announces a changed merchant to every node when the transaction commits. */
export async function announceMerchant(tx: Tx, merNo: number): Promise<void> {
  await tx.query({ text: `select pg_notify('merchants', $1)`, values: [String(merNo)] })
}

export async function selectSomeKey(
  db: Queryable,
): Promise<{ mer_no: bigint; key_id: string; kind: KeyKind; sealed: Buffer } | undefined> {
  const rows = await db.query<{ mer_no: bigint; key_id: string; kind: KeyKind; sealed: Buffer }>({
    text: 'select mer_no, key_id, kind, sealed from merchant_keys order by made_at desc limit 1',
  })
  return rows[0]
}

/** Selects the merchant keys that had expired at `now`, the latest first. */
export function selectOldKeys(
  db: Queryable,
  merNo: number,
  now: Date,
  limit: number,
): Promise<{ keyId: string; sealed: Buffer }[]> {
  return db.query({
    text: `
      select key_id as "keyId", sealed from merchant_keys
      where mer_no = $1 and kind = 'md5' and retires_at <= $2 order by retires_at desc, key_id limit $3`,
    values: [merNo, now, limit],
  })
}

export async function upsertRoute(tx: Tx, merNo: number, route: RouteRow): Promise<void> {
  const { method, channel, priority, weight } = route
  await tx.query({
    text: `insert into merchant_channels (mer_no, method, channel, priority, weight) values ($1, $2, $3, $4, $5)
      on conflict (mer_no, method, channel) do update set priority = excluded.priority, weight = excluded.weight`,
    values: [merNo, method, channel, priority, weight],
  })
}

type RouteOfMerchant = {
  readonly mer_no: bigint
  readonly method: string
  readonly channel: string
}

export async function selectRoutes(db: Queryable): Promise<RouteOfMerchant[]> {
  return db.query<RouteOfMerchant>({
    text: `select r.mer_no, r.method, r.channel from merchant_channels r join merchants m using (mer_no)
      where m.state <> 'closed' order by r.mer_no, r.method, r.channel`,
  })
}

export async function deleteRoute(
  tx: Tx,
  merNo: number,
  { method, channel }: Pick<RouteRow, 'method' | 'channel'>,
): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from merchant_channels where mer_no = $1 and method = $2 and channel = $3 returning channel',
    values: [merNo, method, channel],
  })
  return rows.length > 0
}

type SettledCurrency = { readonly currency: string; readonly settleCurrency: string }

export async function upsertCurrencies(
  tx: Tx,
  merNo: number,
  currencies: readonly SettledCurrency[],
): Promise<void> {
  await tx.query({
    text: `insert into merchant_currencies (mer_no, currency, settle_currency)
      select $1::bigint, currency, settle_currency from ${settled.text}
      on conflict (mer_no, currency) do update set settle_currency = excluded.settle_currency`,
    values: [merNo, ...settled.values(currencies)],
  })
}

const settled = listOf<SettledCurrency>(
  { currency: text((one) => one.currency), settle_currency: text((one) => one.settleCurrency) },
  2,
)

export async function deleteOtherCurrencies(tx: Tx, merNo: number, kept: readonly string[]): Promise<void> {
  await tx.query({
    text: `delete from merchant_currencies where mer_no = $1 and currency <> all (${keptCurrencies.text})`,
    values: [merNo, keptCurrencies.value(kept)],
  })
}

const keptCurrencies = arrayOf(text<string>(itself), 2)

export async function selectCurrencies(tx: Tx, merNo: number): Promise<Map<string, string>> {
  const rows = await tx.query<{ currency: string; settle_currency: string }>({
    text: 'select currency, settle_currency from merchant_currencies where mer_no = $1',
    values: [merNo],
  })
  return new Map(rows.map((row) => [row.currency, row.settle_currency]))
}

export async function selectCurrenciesInUse(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ currency: string }>({
    text: `select distinct c.currency from merchant_currencies c join merchants m using (mer_no)
      where m.state <> 'closed' order by c.currency`,
  })
  return rows.map((row) => row.currency)
}

export async function insertWebsites(
  tx: Tx,
  merNo: number,
  sites: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query({
    text: `insert into merchant_websites (mer_no, site, approved_at)
      select $1::bigint, site, $2::timestamptz from ${approved.text}
      on conflict (mer_no, site) do update set approved_at = coalesce(merchant_websites.approved_at, excluded.approved_at)`,
    values: [merNo, now, ...approved.values(sites)],
  })
}

const approved = listOf({ site: text<string>(itself) }, 3)

/** Inserts a requested website. The website is accepted only after its approval. */
export async function insertAskedWebsite(tx: Tx, merNo: number, site: string): Promise<void> {
  await tx.query({
    text: `insert into merchant_websites (mer_no, site, approved_at) values ($1, $2, null)
      on conflict (mer_no, site) do nothing`,
    values: [merNo, site],
  })
}

export async function approveAskedWebsite(tx: Tx, merNo: number, site: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `update merchant_websites set approved_at = coalesce(approved_at, $3)
      where mer_no = $1 and site = $2 returning site`,
    values: [merNo, site, now],
  })
  return rows.length > 0
}

export async function deleteWebsite(tx: Tx, merNo: number, site: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from merchant_websites where mer_no = $1 and site = $2 returning site',
    values: [merNo, site],
  })
  return rows.length > 0
}

export async function deleteOtherWebsites(tx: Tx, merNo: number, sites: readonly string[]): Promise<void> {
  await tx.query({
    text: `delete from merchant_websites where mer_no = $1 and site <> all (${keptSites.text})`,
    values: [merNo, keptSites.value(sites)],
  })
}

const keptSites = arrayOf(text<string>(itself), 2)
