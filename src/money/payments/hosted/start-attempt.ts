// Starts a payer's attempt on our page, in the three steps of every payment: record the attempt and commit, call the
// channel, record the outcome.
//
// Invariant: an order has at most one open attempt, and a form that is sent twice starts only one attempt. The form
// contains the number of earlier attempts, and this number is compared under the order's lock (an optimistic lock).
// Lock order: the order, then usage rows by key.
//
// The terms, the platform's limits and the need for a review depend on the method, so each attempt sets them anew.

import type { Gate } from '../../../platform/concurrency/gate.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { CardDetails } from '../../../rails/contract/channel.ts'
import { isMethod, type Method } from '../../../rails/methods/methods.ts'
import type { Terminals } from '../../../rails/methods/terminal.ts'
import { type Merchant, mayDo } from '../../merchants/merchant.ts'
import { type FoundPayment, findPayment } from '../../order-queries/find-payment.ts'
import { readWholeDetails } from '../../order-queries/read-details.ts'
import type { PlannedChange } from '../../orders/change.ts'
import { platformLimits, takeUsage, type Usage, usageKey } from '../../orders/limit-usage.ts'
import { lockOrder } from '../../orders/lock-orders.ts'
import { type Details, sealPersonal } from '../../orders/new-order.ts'
import { isBusy, type Order, State } from '../../orders/order.ts'
import type { PlatformLimits } from '../../orders/platform-limits.ts'
import { changeOrders } from '../../orders/write-changes.ts'
import type { Verdict } from '../../risk/evaluate.ts'
import { storeVerdicts } from '../../risk/hits.ts'
import { type CallDeps, type CalledAttempt, callChannels, declineByRule } from '../make-payment.ts'
import {
  type Chosen,
  callIsLostAt,
  chooseMethod,
  needsReview,
  type PrepareDeps,
  takesCurrency,
  termsOf,
} from '../prepare-payment.ts'
import type { Recorded } from '../record-outcomes.ts'
import { selectExpiry } from './sql.ts'

export type AttemptDeps = CallDeps &
  Pick<PrepareDeps, 'vault' | 'rates' | 'platformLimits' | 'risk' | 'reference' | 'bins'> & {
    readonly db: Db
    readonly gate: Gate
  }

/** The payer's form, with well-formed fields. */
export type WantedAttempt = {
  readonly merNo: number
  readonly tradeNo: string
  /** The number of attempts when the form was created. */
  readonly attempts: number
  readonly method: Method
  readonly card?: CardDetails | undefined
  readonly walletToken?: string | undefined
  /** The terminals that suit the payer's browser, the best one first. */
  readonly terminals: Terminals
  readonly personal: Details
  readonly details: Details
  readonly completeUrl: string
}

export type Started =
  | { readonly kind: 'started'; readonly recorded: Recorded }
  /** The order changed after the form was created (another tab started an attempt), or the order's time is over. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const STALE = { kind: 'stale' } as const

export async function startAttempt(
  deps: AttemptDeps,
  merchant: Merchant,
  wanted: WantedAttempt,
): Promise<Started> {
  try {
    return await deps.gate.countOf(wanted.merNo, () => start(deps, merchant, wanted))
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

async function start(deps: AttemptDeps, merchant: Merchant, wanted: WantedAttempt): Promise<Started> {
  const { merNo, tradeNo, method, card, walletToken, terminals, completeUrl } = wanted
  const order = await findPayment(deps.db, { merNo, tradeNo })
  if (order === undefined || order.attempts !== wanted.attempts) return STALE
  checkOffered(merchant, method, order)
  const stored = await readWholeDetails(deps, wanted)
  const details = { ...stored.details, ...wanted.details }
  const personal = { ...stored.personal, ...wanted.personal }
  const given = { card, details, personal, walletToken }
  const chosen = chooseMethod(deps, merchant, method, given, { ...order.money, terminals })
  const limits = await deps.platformLimits.of(method)
  const usdValue = deps.rates.usdValue(order.money) ?? 0n
  const verdict = await deps.risk.check({ merNo, method, usdValue, card: chosen.card, details })
  const beginning = { merchant, wanted, chosen, limits, verdict }
  const begun = await deps.db.transaction((tx) => begin(deps, tx, beginning))
  if (begun === undefined) return STALE
  const attempt = { ...begun, channels: chosen.channels, challenge: verdict?.challenges }
  const { money } = order
  const call = {
    payment: { merNo, tradeNo, money, details },
    secrets: { card, walletToken, personal },
    terminals,
    merchantName: merchant.name,
    completeUrl,
  }
  const isCalled = verdict?.refusal === undefined
  const { recorded } = await (isCalled ? callChannels(deps, call, attempt) : declineByRule(deps, attempt))
  return { kind: 'started', recorded }
}

function checkOffered(merchant: Merchant, method: Method, { money, hosted }: FoundPayment): void {
  if (!mayDo(merchant.state, 'pay')) throw new Refusal('10005')
  if (!takesCurrency(method, money.currency)) throw new Refusal('10019')
  if (hosted?.method !== undefined && hosted.method !== method) throw new Refusal('10011')
}

type Beginning = {
  readonly merchant: Merchant
  readonly wanted: WantedAttempt
  readonly chosen: Chosen
  readonly limits: PlatformLimits | undefined
  readonly verdict: Verdict | undefined
}

type Begun = Pick<CalledAttempt, 'merNo' | 'tradeNo' | 'attemptNo' | 'lostAt'>

/** Stores the attempt as `calling`. Undefined if the order has expired, or has changed after the form was created. */
async function begin(deps: AttemptDeps, tx: Tx, beginning: Beginning): Promise<Begun | undefined> {
  const { merchant, wanted, chosen, limits, verdict } = beginning
  const { merNo, tradeNo, method, details, personal } = wanted
  const key = { merNo, tradeNo }
  const [order, expiresAt] = await Promise.all([lockOrder(tx, key), selectExpiry(tx, key)])
  const at = deps.clock.now()
  if (order === undefined || expiresAt === undefined || expiresAt <= at || !mayBegin(order, wanted))
    return undefined
  const [channel] = chosen.channels
  const no = attemptsOf(order) + 1
  const askAt = callIsLostAt(deps.clock.now(), channel)
  const change: PlannedChange = {
    order,
    at,
    state: order.state,
    choice: {
      method,
      terms: termsOf(deps.rates, merchant, method, order.money),
      platformLimited: await takePlatformLimits(tx, order, method, limits),
    },
    needsReview:
      verdict?.reviews === true || needsReview(merchant, method, order.money) || isPicked(merchant, order),
    next: {
      no,
      channel: channel.name,
      askAt,
      entered: { card: chosen.card, details, sealed: sealPersonal(deps.vault, tradeNo, personal) },
    },
  }
  await changeOrders(tx, [change])
  if (verdict !== undefined)
    for (const statement of storeVerdicts([{ ...key, attemptNo: no, at, verdict }])) await tx.query(statement)
  return { merNo, tradeNo, attemptNo: no, lostAt: askAt }
}

function mayBegin(order: Order, { attempts }: WantedAttempt): boolean {
  return (
    order.state === State.processing &&
    !isBusy(order) &&
    attemptsOf(order) === attempts &&
    attempts < order.maxAttempts
  )
}

/** Returns the number of attempts of an order that was locked with its latest attempt. Attempt numbers begin at 1. */
function attemptsOf({ attempt }: Order): number {
  return attempt?.no ?? 0
}

/**
 * True if a person or a rule selected the order for review, although its amount does not require a review. The order
 * then stays selected when the payer changes the method.
 */
function isPicked(merchant: Merchant, { method, money, needsReview: isSet }: Order): boolean {
  return isSet && !(isMethod(method) && needsReview(merchant, method, money))
}

/**
 * Gives back the usage of the previous method's limits, and takes usage of the chosen method's limits, in one
 * statement. With two statements, payers who change their methods in opposite directions could deadlock. Returns true
 * if the order now counts against a limit of the platform.
 */
async function takePlatformLimits(
  tx: Tx,
  order: Order,
  method: Method,
  limits: PlatformLimits | undefined,
): Promise<boolean> {
  const { localDay, usdValue } = order
  if (order.platformLimited && order.method === method) return true
  const taken = platformLimits(limits, method, localDay)
  const before = order.platformLimited ? platformLimits(NO_BOUND, order.method, localDay) : []
  if (taken.length + before.length === 0) return false
  const used = await takeUsage(tx, [
    ...before.map((limit): Usage => ({ ...limit, used: -usdValue })),
    ...taken.map((limit): Usage => ({ ...limit, used: usdValue })),
  ])
  const over = taken.find((limit) => (used.get(usageKey(limit)) ?? 0n) > limit.most)
  if (over !== undefined) throw new Refusal(over.code)
  return taken.length > 0
}

const NO_BOUND: PlatformLimits = { daily: undefined, monthly: undefined }
