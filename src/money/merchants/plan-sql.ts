// Owns named_plans and merchant_plans. The terms of a named plan are copied into fee_plans for each of its merchants,
// because payments read only fee_plans. Lock order: merchants by number, then the plan.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { termColumns } from './sql.ts'
import { type FeePlan, termNames } from './terms.ts'

export type PlanTerms = FeePlan & {
  /** The method, or '' for all methods that have no terms of their own. */
  readonly method: string
}

const terms = `method, ${termColumns.read}`

export type PlanRow = { readonly plan: string; readonly merchants: number; readonly terms: PlanTerms[] }

export async function selectPlans(db: Queryable): Promise<PlanRow[]> {
  const rows = await db.query<PlanTerms & { plan: string; merchants: number }>({
    text: `
      select n.plan, ${terms},
        (select count(*)::int from merchant_plans m where m.plan = n.plan) as merchants
      from named_plans n where n.mer_no = 0 order by n.plan, n.method`,
  })
  return [...Map.groupBy(rows, ({ plan }) => plan)].map(([plan, some]) => {
    const all = some.map(({ plan: _plan, merchants: _merchants, ...one }) => one)
    return { plan, merchants: some[0]?.merchants ?? 0, terms: all }
  })
}

export function lockPlan(tx: Tx, plan: string): Promise<PlanTerms[]> {
  return tx.query<PlanTerms>({
    text: `select ${terms} from named_plans where mer_no = 0 and plan = $1 order by method for update`,
    values: [plan],
  })
}

export type PlanMerchant = { readonly merNo: number; readonly name: string }

export async function selectPlanMerchants(db: Queryable, plan: string): Promise<PlanMerchant[]> {
  const rows = await db.query<{ mer_no: bigint; name: string }>({
    text: `select mer_no, m.name from merchant_plans p join merchants m using (mer_no)
      where p.plan = $1 order by mer_no`,
    values: [plan],
  })
  return rows.map(({ mer_no, name }) => ({ merNo: Number(mer_no), name }))
}

export async function lockPlanMerchants(tx: Tx, plan: string): Promise<void> {
  await tx.query({
    text: `select mer_no from merchants
      where mer_no in (select mer_no from merchant_plans where plan = $1) order by mer_no for update`,
    values: [plan],
  })
}

export async function upsertTerms(tx: Tx, plan: string, method: string, set: FeePlan): Promise<void> {
  await tx.query({
    text: `
      insert into named_plans (mer_no, plan, method, ${termColumns.all})
      values (0, $1, $2, ${termColumns.from3})
      on conflict (mer_no, plan, method) do update set ${termColumns.replace}`,
    values: [plan, method, ...termNames.map((name) => set[name])],
  })
}

export async function deleteTerms(tx: Tx, plan: string, method: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from named_plans where mer_no = 0 and plan = $1 and method = $2 returning method',
    values: [plan, method],
  })
  return rows.length > 0
}

/** Copies the terms to all merchants of the plan, or to one of them, and announces the change to every node. */
export async function copyTerms(tx: Tx, plan: string, merNo?: number): Promise<void> {
  const values = [plan, merNo ?? null]
  const ofPlan = 'select mer_no from merchant_plans where plan = $1 and ($2::bigint is null or mer_no = $2)'
  await tx.query({ text: `delete from fee_plans where mer_no in (${ofPlan})`, values })
  await tx.query({
    text: `
      insert into fee_plans (mer_no, method, ${termColumns.all})
      select p.mer_no, n.method, ${termColumns.all}
      from (${ofPlan}) p cross join named_plans n where n.mer_no = 0 and n.plan = $1`,
    values,
  })
  await tx.query({ text: `select pg_notify('merchants', mer_no::text) from (${ofPlan}) p`, values })
}

export async function linkPlan(tx: Tx, merNo: number, plan: string): Promise<void> {
  await tx.query({
    text: `insert into merchant_plans (mer_no, plan) values ($1, $2)
      on conflict (mer_no) do update set plan = excluded.plan`,
    values: [merNo, plan],
  })
}

export async function unlinkPlan(tx: Tx, merNo: number): Promise<void> {
  await tx.query({ text: 'delete from merchant_plans where mer_no = $1', values: [merNo] })
}

export async function selectPlanOf(db: Queryable, merNo: number): Promise<string | undefined> {
  const [row] = await db.query<{ plan: string }>({
    text: 'select plan from merchant_plans where mer_no = $1',
    values: [merNo],
  })
  return row?.plan
}
