import { removeMethodPlan, setMethodPlan } from '../merchants/change-merchant.ts'
import { readMethod, readOptions } from '../merchants/options.ts'
import { type Call, type Command, type Option, type Result, UsageError } from './command.ts'
import { optionTexts } from './merchant-options.ts'
import { readMerNo, showMerchant } from './show-merchant.ts'

export const terms: Readonly<Record<string, Option>> = {
  'fee-bps': { value: 'N', help: 'percentage fee in basis points' },
  'fee-fixed': { value: '0.00', help: "fixed fee in the order's currency" },
  'refund-fee': { value: '0.00', help: "fee of a refund in the order's currency" },
  'chargeback-fee': { value: '0.00', help: "fee of a chargeback in the order's currency" },
  'margin-bps': { value: 'N', help: 'rolling reserve in basis points' },
  'margin-days': { value: 'N', help: 'days until the reserve is released' },
  'settle-days': { value: 'N', help: 'days until settlement' },
}

export const plan: Command = {
  name: 'merchant plan',
  argument: 'MERNO',
  summary:
    'Give one method its own fee plan; a new plan copies what you leave out from the plan for all methods',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    method: { value: 'card', required: true, help: 'the method' },
    ...terms,
    remove: { help: 'use the plan for all methods again' },
  },
  run: changePlan,
}

async function changePlan({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const method = readMethod(given.text('method') ?? '')
  const changes = Object.keys(terms).some((name) => given.text(name) !== undefined)
  // With neither, a copy of the plan for all methods would be frozen; both contradict each other.
  if (changes === given.flag('remove')) throw new UsageError('give an option to change, or --remove', plan)
  const db = await tools.database()
  if (changes) await setMethodPlan(db, merNo, method, readOptions(optionTexts(given)))
  else await removeMethodPlan(db, merNo, method)
  return showMerchant(tools, merNo)
}
