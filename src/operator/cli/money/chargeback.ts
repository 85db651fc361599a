import { basename } from 'node:path'
import { addEvidence } from '../../../money/chargebacks/add-evidence.ts'
import { type Chargeback, chargebackStates } from '../../../money/chargebacks/chargeback.ts'
import { listChargebacks } from '../../../money/chargebacks/find-chargeback.ts'
import { type ChargebackDeps, openChargeback } from '../../../money/chargebacks/open-chargeback.ts'
import { readReasons, reasonInWords } from '../../../money/chargebacks/reasons.ts'
import { resolveChargeback } from '../../../money/chargebacks/resolve-chargeback.ts'
import { loadMerchants } from '../../../money/merchants/load-merchants.ts'
import { findPayment } from '../../../money/order-queries/find-payment.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import { formatAmount, type Money, parseDecimal } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { OTHER_REASON } from '../../../platform/reference/list.ts'
import { auditId, type Command, type Result, type Tools, UsageError } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { columns, moneyFields, plain, sumOf } from '../shared/print.ts'
import { readBinaryFile } from '../shared/read-input.ts'

const tradeNoOption = { value: 'TRADENO', required: true, help: 'the order' } as const

const open: Command = {
  name: 'chargeback open',
  summary: 'Open a chargeback: the amount and the fee leave the merchant immediately',
  audit: ({ given }) => auditId(given.text('trade-no') ?? ''),
  options: {
    'trade-no': tradeNoOption,
    amount: { value: '10.00', help: "in the order's currency (default: the amount paid)" },
    reason: { value: '4853', help: `reason code (default: ${OTHER_REASON})` },
  },
  async run({ given, tools }) {
    const tradeNo = given.text('trade-no') ?? ''
    const deps = await depsOf(tools)
    const money = await readMoney(deps.db, tradeNo, given.text('amount'))
    const wanted = { money, reason: given.text('reason') ?? OTHER_REASON, at: tools.clock.now() }
    return toResult(deps.db, await openChargeback(deps, tradeNo, wanted))
  },
}

const outcomes = ['won', 'lost'] as const

const decide: Command = {
  name: 'chargeback resolve',
  summary: "Close an order's open chargeback; if it was won, the amount comes back",
  audit: ({ given }) => auditId(given.text('trade-no') ?? ''),
  options: {
    'trade-no': tradeNoOption,
    outcome: { value: 'won|lost', required: true, help: 'how it ended' },
  },
  async run({ given, tools }) {
    const outcome = outcomes.find((name) => name === given.text('outcome'))
    if (outcome === undefined) throw new UsageError('--outcome must be won or lost', decide)
    const tradeNo = given.text('trade-no') ?? ''
    const deps = await depsOf(tools)
    return toResult(deps.db, await resolveChargeback(deps, tradeNo, { outcome, at: tools.clock.now() }))
  },
}

const list: Command = {
  name: 'chargeback list',
  summary: 'List the latest chargebacks, newest first',
  options: { state: { value: chargebackStates.join('|'), help: 'only those in this state (default: all)' } },
  async run({ given, tools }) {
    const text = given.text('state')
    const state = chargebackStates.find((name) => name === text)
    if (text !== undefined && state === undefined)
      throw new UsageError(`--state must be one of ${chargebackStates.join(', ')}`, list)
    const db = await tools.database()
    const [found, reasonOf] = await Promise.all([listChargebacks(db, state), readReasons(db)])
    const json = found.map((one) => {
      const disputed = one.disputed === undefined ? null : sumOf(one.disputed)
      return { ...describe(one, reasonOf(one.reason)), evidence: one.evidence, disputed }
    })
    const rows = json.map((one) => [
      one.openedAt,
      one.tradeNo,
      one.state,
      `${one.amount} ${one.currency}`,
      `${one.reason} ${one.reasonInWords}`,
      one.disputed === null ? '' : `the channel disputes ${one.disputed}`,
    ])
    return { json: { chargebacks: json }, text: columns(rows, 'No chargebacks.') }
  },
}

const evidence: Command = {
  name: 'chargeback evidence',
  summary: "Record evidence against an order's open chargeback",
  audit: ({ given }) => auditId(given.text('trade-no') ?? ''),
  options: {
    'trade-no': tradeNoOption,
    note: { value: 'TEXT', required: true, help: 'what the evidence shows' },
    file: { value: 'FILE', help: 'the evidence as a file; it is stored encrypted' },
  },
  async run({ given, tools }) {
    const tradeNo = given.text('trade-no') ?? ''
    const path = given.text('file')
    const read =
      path === undefined ? undefined : { name: basename(path), content: await readBinaryFile(path) }
    const by = commandActor().name
    const wanted = { tradeNo, note: given.text('note') ?? '', file: read, by, at: tools.clock.now() }
    const deps = { db: await tools.database(), vault: await tools.vault() }
    const { evidenceId, note, file: stored } = await addEvidence(deps, wanted)
    const json = { tradeNo, evidenceId, note, file: stored ?? null }
    return { json, text: `Evidence ${evidenceId} is recorded for order ${plain(tradeNo)}.` }
  },
}

async function depsOf(tools: Tools): Promise<ChargebackDeps> {
  const db = await tools.database()
  return {
    db,
    findMerchant: async (merNo) =>
      (await loadMerchants(db, await tools.vault(), [merNo], tools.clock.now())).get(merNo),
  }
}

/** Reads an amount in the currency of the order. */
async function readMoney(db: Db, tradeNo: string, text: string | undefined): Promise<Money | undefined> {
  if (text === undefined) return undefined
  const merNo = merNoOf(tradeNo)
  const payment = merNo === undefined ? undefined : await findPayment(db, { merNo, tradeNo })
  if (payment === undefined) throw new OperatorRefusal(`there is no order ${tradeNo}`)
  const { currency } = payment.money
  const amount = parseDecimal(text, currency)
  if (amount === undefined) throw new OperatorRefusal(`${text} is not an amount in ${currency}`)
  return { amount, currency }
}

function describe(chargeback: Chargeback, reasonInWords: string) {
  const { merNo, tradeNo, chargebackId, state, reason, money, fee } = chargeback
  return {
    merNo,
    tradeNo,
    chargebackId,
    state,
    reason,
    reasonInWords,
    ...moneyFields(money),
    fee: formatAmount(fee, money.currency),
    openedAt: chargeback.openedAt.toISOString(),
    resolvedAt: chargeback.resolvedAt?.toISOString() ?? null,
  }
}

async function toResult(db: Db, chargeback: Chargeback): Promise<Result> {
  const json = describe(chargeback, await reasonInWords(db, chargeback.reason))
  const text = `The chargeback of ${json.amount} ${json.currency} on order ${json.tradeNo} is ${json.state}.`
  return { json, text }
}

export const chargebackCommands: readonly Command[] = [open, decide, list, evidence]
