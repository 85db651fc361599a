import {
  assignPlan,
  listPlans,
  type PlanMethod,
  readPlanMethod,
  readPlanName,
  removePlanMethod,
  setPlan,
} from '../../../money/merchants/named-plans.ts'
import { readOptions } from '../../../money/merchants/options.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Call, type Command, type Result, UsageError } from '../command.ts'
import { columns, plain } from '../shared/print.ts'
import { readMerNo } from '../shared/show-merchant.ts'
import { optionTexts, termOptions } from './merchant-options.ts'

const list: Command = {
  name: 'fee-plan list',
  summary: 'List the named fee plans with their terms and how many merchants follow each',
  options: {},
  run: async ({ tools }) => showPlans(await tools.database()),
}

async function showPlans(db: Db): Promise<Result> {
  const plans = (await listPlans(db)).map(({ plan, merchants, terms }) => {
    return { plan, merchants, terms: terms.map((one) => ({ ...one, method: one.method || 'all' })) }
  })
  const rows = plans.flatMap(({ plan, merchants, terms }) =>
    terms.map((one) => [
      plain(plan),
      `${merchants} merchants`,
      one.method,
      `fee ${one.feeBps} bps + ${one.feeFixed}`,
      `refund ${one.refundFee}`,
      `chargeback ${one.chargebackFee}`,
      `margin ${one.marginBps} bps for ${one.marginDays} days`,
      `settles after ${one.settleDays} days`,
    ]),
  )
  return { json: { plans }, text: columns(rows, 'No fee plan has a name.') }
}

const set: Command = {
  name: 'fee-plan set',
  argument: 'PLAN',
  summary: 'Create or change a named fee plan; the terms of its merchants change from now on',
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {
    method: { value: 'card', help: 'one method, payout, or all without their own terms (default: all)' },
    ...termOptions,
    remove: { help: 'the method uses the terms for all methods again' },
  },
  run: changePlan,
}

async function changePlan({ argument, given, tools }: Call): Promise<Result> {
  const plan = readPlanName(argument)
  const method: PlanMethod = readPlanMethod(given.text('method') ?? 'all')
  const changes = Object.keys(termOptions).some((name) => given.text(name) !== undefined)
  if (changes === given.flag('remove')) throw new UsageError('give an option to change, or --remove', set)
  const options = readOptions(optionTexts(given))
  const db = await tools.database()
  if (changes) await setPlan(db, { plan, method, options })
  else await removePlanMethod(db, plan, method)
  return showPlans(db)
}

const assign: Command = {
  name: 'fee-plan assign',
  argument: 'MERNO',
  summary: 'Let the terms of a merchant follow a named fee plan; none leaves it with its terms as they are',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: { plan: { value: 'PLAN', required: true, help: 'the plan, or none' } },
  async run({ argument, given, tools }) {
    const merNo = readMerNo(argument)
    const name = given.text('plan') ?? ''
    const plan = name === 'none' ? undefined : name
    await assignPlan(await tools.database(), merNo, plan)
    const text =
      plan === undefined
        ? `Merchant ${merNo} has its own terms.`
        : `The terms of merchant ${merNo} follow the plan ${plain(plan)}.`
    return { json: { merNo, plan: plan ?? null }, text }
  },
}

export const feePlanCommands: readonly Command[] = [list, set, assign]
