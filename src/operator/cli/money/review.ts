import { writeFile } from 'node:fs/promises'
import { approveReview, askReview, pickReview, rejectReview } from '../../../money/reviews/decide-review.ts'
import {
  type FoundReview,
  findReview,
  type ListedReview,
  listReviews,
  openFile,
} from '../../../money/reviews/find-review.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { auditId, type Command } from '../command.ts'
import { withRates } from '../shared/actor.ts'
import { columns, moneyFields, plain, section, sumOf } from '../shared/print.ts'
import { typedPath } from '../shared/read-input.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'review list',
  summary: 'List the payments in review, longest waiting first',
  options: {},
  async run({ tools }) {
    const reviews = await listReviews(await tools.database(), LIST_LIMIT)
    return {
      json: reviews.map(describeListed),
      text: columns(reviews.map(toRow), 'No payment is in review.'),
    }
  },
}

function toRow({ tradeNo, since, review, money, merNo, merOrderNo }: ListedReview): string[] {
  return [tradeNo, since.toISOString(), review, sumOf(money), `merchant ${merNo}`, plain(merOrderNo)]
}

function describeListed({ money, since, review, state, ...rest }: ListedReview) {
  return { ...rest, orderState: state, state: review, ...moneyFields(money), since: since.toISOString() }
}

const show: Command = {
  name: 'review show',
  argument: 'TRADENO',
  summary: 'Show one review: the information and files that the merchant sent',
  options: {},
  async run({ argument, tools }) {
    const found = await findReview(await tools.database(), await tools.vault(), argument)
    return { json: describe(found), text: toText(found) }
  },
}

function describe({ order, review, info, files }: FoundReview) {
  const { tradeNo, merNo, state, note, returns } = review
  return {
    tradeNo,
    merNo,
    merOrderNo: order.merOrderNo,
    ...moneyFields(order.money),
    orderState: order.state,
    state,
    note,
    returns,
    askedAt: review.askedAt?.toISOString() ?? null,
    submittedAt: review.submittedAt?.toISOString() ?? null,
    decidedAt: review.decidedAt?.toISOString() ?? null,
    info,
    files: files.map(({ merNo: _merNo, tradeNo: _tradeNo, uploadedAt, ...file }) => {
      return { ...file, uploadedAt: uploadedAt.toISOString() }
    }),
  }
}

function toText({ order, review, info, files }: FoundReview): string {
  const head = `Order ${order.tradeNo} of merchant ${order.merNo}: ${sumOf(order.money)}, review ${review.state}`
  const infoRows = Object.entries(info).map(([type, text]) => [type, plain(text)])
  const fileRows = files.map(({ fileId, proves = '', suffix, bytes }) => [
    fileId,
    proves,
    suffix,
    `${bytes} bytes`,
  ])
  const note = review.note === '' ? [] : [section('Note', [[plain(review.note)]])]
  return [head, ...note, section('Information', infoRows), section('Files', fileRows)].join('\n\n')
}

const pick: Command = {
  name: 'review pick',
  argument: 'TRADENO',
  summary: 'Have a pending payment reviewed when its money arrives',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument, tools }) {
    await pickReview({ db: await tools.database(), clock: tools.clock }, argument)
    return {
      json: { tradeNo: argument, state: 'picked' },
      text: `Order ${argument} will be reviewed when its money arrives.`,
    }
  },
}

const note = { value: 'TEXT', required: true, help: 'why; the merchant sees it' } as const

const ask: Command = {
  name: 'review ask',
  argument: 'TRADENO',
  summary: 'Ask the merchant for more information',
  audit: ({ argument }) => auditId(argument),
  options: { note },
  async run({ argument, given, tools }) {
    const deps = { db: await tools.database(), clock: tools.clock }
    const { state } = await askReview(deps, argument, given.text('note') ?? '')
    return {
      json: { tradeNo: argument, state },
      text: `The merchant is asked for more information on order ${argument}.`,
    }
  },
}

const approve: Command = {
  name: 'review approve',
  argument: 'TRADENO',
  summary: 'Approve the payment: it succeeds, and the merchant is notified',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument, tools }) {
    const { state } = await withRates(tools, (deps) => approveReview(deps, argument))
    return { json: { tradeNo: argument, state }, text: `Order ${argument} has succeeded.` }
  },
}

const reject: Command = {
  name: 'review reject',
  argument: 'TRADENO',
  summary: 'Reject the payment: the channel returns the money, the payment fails, the merchant is notified',
  audit: ({ argument }) => auditId(argument),
  options: {
    note,
    returned: { help: 'you have returned the money yourself; only book it' },
  },
  async run({ argument, given, tools }) {
    const deps = { db: await tools.database(), clock: tools.clock }
    const rejection = { note: given.text('note') ?? '', isReturned: given.flag('returned') }
    const { state } = await rejectReview(deps, argument, rejection)
    const text =
      state === 'returning'
        ? `The channel will be asked to return the money of order ${argument}.`
        : `Order ${argument} has failed.`
    return { json: { tradeNo: argument, state }, text }
  },
}

const file: Command = {
  name: 'review file',
  argument: 'FILEID',
  summary: 'Save a file of a review on this machine',
  options: {
    out: { value: 'PATH', required: true, help: 'the new file; an existing one is never overwritten' },
  },
  async run({ argument, given, tools }) {
    const { file: found, content } = await openFile(await tools.database(), await tools.vault(), argument)
    const out = given.text('out') ?? ''
    await writeNew(out, content)
    const { fileId, suffix, bytes, sha256 } = found
    return { json: { fileId, suffix, bytes, sha256, out }, text: `Wrote ${bytes} bytes to ${out}.` }
  },
}

/** Writes a new file that only the operator can read. */
async function writeNew(path: string, content: Buffer): Promise<void> {
  try {
    await writeFile(typedPath(path), content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new OperatorRefusal(`${path} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}

export const reviewCommands: readonly Command[] = [list, show, pick, ask, approve, reject, file]
