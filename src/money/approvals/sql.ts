// Owns the table approvals.
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int8, itself, text } from '../../platform/postgres/lists.ts'
import type { Action, Approval, ApprovalState } from './approval.ts'
import type { ApprovalKind, Decider } from './may-approve.ts'

type Row = {
  mer_no: bigint
  approval_id: string
  decider: Decider
  kind: ApprovalKind
  subject: string
  action: Action
  currency: string | null
  amount: bigint | null
  asked_kind: Actor['kind']
  asked_by: string
  asked_at: Date
  reason: string
  expires_at: Date
  state: ApprovalState
  decided_kind: Actor['kind'] | null
  decided_by: string | null
  decided_at: Date | null
  decision: string | null
}

const columns = `mer_no, approval_id, decider, kind, subject, action, currency, amount, asked_kind, asked_by, asked_at,
  reason, expires_at, state, decided_kind, decided_by, decided_at, decision`

function toApproval(row: Row): Approval {
  const { amount, currency, decided_kind: kind, decided_by: name } = row
  return {
    merNo: Number(row.mer_no),
    approvalId: row.approval_id,
    decider: row.decider,
    kind: row.kind,
    subject: row.subject,
    action: row.action,
    money: amount === null || currency === null ? undefined : { amount, currency },
    askedBy: { kind: row.asked_kind, name: row.asked_by },
    askedAt: row.asked_at,
    reason: row.reason,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: kind === null || name === null ? undefined : { kind, name },
    decidedAt: row.decided_at ?? undefined,
    decision: row.decision ?? undefined,
  }
}

/** Inserts an approval. Returns false if the subject already has a waiting approval of this kind. */
export async function insertApproval(tx: Tx, approval: Approval): Promise<boolean> {
  const { merNo, approvalId, decider, kind, subject, action, money, askedBy, askedAt, reason, expiresAt } =
    approval
  const rows = await tx.query({
    name: 'approvals.insert',
    text: `
      insert into approvals (mer_no, approval_id, decider, kind, subject, action, currency, amount, asked_kind,
        asked_by, asked_at, reason, expires_at, state)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'waiting')
      on conflict (mer_no, kind, subject) where state = 'waiting' do nothing
      returning approval_id`,
    values: [
      merNo,
      approvalId,
      decider,
      kind,
      subject,
      JSON.stringify(action),
      money?.currency ?? null,
      money?.amount ?? null,
      askedBy.kind,
      askedBy.name,
      askedAt,
      reason,
      expiresAt,
    ],
  })
  return rows.length === 1
}

/** Marks the subject's approval as expired if nobody decided in time, so that a new one can be asked for. */
export async function expireApproval(
  tx: Tx,
  { merNo, kind, subject }: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
  now: Date,
): Promise<void> {
  await tx.query({
    text: `update approvals set state = 'expired'
      where mer_no = $1 and kind = $2 and subject = $3 and state = 'waiting' and expires_at <= $4`,
    values: [merNo, kind, subject, now],
  })
}

export async function lockApproval(tx: Tx, merNo: number, approvalId: string): Promise<Approval | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from approvals where mer_no = $1 and approval_id = $2 for update`,
    values: [merNo, approvalId],
  })
  return row && toApproval(row)
}

export type DecidedApproval = Approval & { readonly decidedBy: Actor; readonly decidedAt: Date }

export async function updateDecided(tx: Tx, approval: DecidedApproval): Promise<void> {
  const { merNo, approvalId, state, decidedBy, decidedAt, decision } = approval
  await tx.query({
    text: `update approvals set state = $3, decided_kind = $4, decided_by = $5, decided_at = $6, decision = $7
      where mer_no = $1 and approval_id = $2`,
    values: [merNo, approvalId, state, decidedBy.kind, decidedBy.name, decidedAt, decision ?? null],
  })
}

export type ApprovalFilter = {
  readonly decider: Decider
  /** The merchant number. Undefined for approvals of all merchants. */
  readonly merNo: number | undefined
  readonly isWaiting: boolean
  /** The last approval id of the previous page. */
  readonly after: string | undefined
  readonly now: Date
  readonly limit: number
}

/** Selects approvals, newest first. An expired approval does not wait, even if it is not marked as expired yet. */
export async function selectApprovals(db: Queryable, filter: ApprovalFilter): Promise<Approval[]> {
  const { decider, merNo, isWaiting, after, now, limit } = filter
  const rows = await db.query<Row>({
    text: `
      select ${columns} from approvals
      where decider = $1 and ($2::bigint is null or mer_no = $2) and ($3::text is null or approval_id < $3)
        and (state = 'waiting' and expires_at > $4) = $5
      order by approval_id desc limit $6`,
    values: [decider, merNo ?? null, after ?? null, now, isWaiting, limit],
  })
  return rows.map(toApproval)
}

export async function selectWaiting(
  db: Queryable,
  { merNo, kind, subject }: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
): Promise<Approval | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from approvals
      where mer_no = $1 and kind = $2 and subject = $3 and state = 'waiting'`,
    values: [merNo, kind, subject],
  })
  return row && toApproval(row)
}

export type WaitingCount = { readonly count: number; readonly since: Date | null }

export async function countWaiting(
  db: Queryable,
  { decider, merNo, now }: Pick<ApprovalFilter, 'decider' | 'merNo' | 'now'>,
): Promise<WaitingCount> {
  const [row] = await db.query<WaitingCount>({
    text: `select count(*)::int as count, min(asked_at) as since from approvals
      where decider = $1 and ($2::bigint is null or mer_no = $2) and state = 'waiting' and expires_at > $3`,
    values: [decider, merNo ?? null, now],
  })
  return row ?? { count: 0, since: null }
}

/** Takes the lock that makes operators' decisions for a merchant run one after another, on all nodes. */
export async function lockDecisions(tx: Tx, merNo: number): Promise<void> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtextextended('decisions ' || $1::bigint, 0))`,
    values: [merNo],
  })
}

export type AskedFilter = {
  readonly merNos: readonly number[]
  readonly kinds: readonly ApprovalKind[]
  readonly now: Date
}

/** Returns the requests of these kinds that wait for a second person and have not expired. */
export async function selectAsked(
  db: Queryable,
  { merNos, kinds, now }: AskedFilter,
): Promise<Pick<Approval, 'merNo' | 'money' | 'askedBy' | 'askedAt'>[]> {
  const rows = await db.query<Row>({
    text: `select ${columns} from approvals
      where mer_no = any (${askedMerchants.text}) and kind = any (${askedKinds.text}) and state = 'waiting'
        and expires_at > $3`,
    values: [askedMerchants.value(merNos), askedKinds.value(kinds), now],
  })
  return rows.map(toApproval)
}

const askedMerchants = arrayOf(int8<number>(itself), 1)
const askedKinds = arrayOf(text<string>(itself), 2)
