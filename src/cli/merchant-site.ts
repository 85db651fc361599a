import { OperatorRefusal } from '../errors/catalogue.ts'
import { approveWebsite, askForWebsite, removeWebsite } from '../merchants/change-merchant.ts'
import { readSite } from '../merchants/site.ts'
import { type Call, type Command, type Result, UsageError } from './command.ts'
import { readMerNo, showMerchant } from './show-merchant.ts'

export const website: Command = {
  name: 'merchant site',
  argument: 'MERNO',
  summary: "Request, approve or remove one website of a merchant ('merchant set --site' replaces all)",
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    ask: { value: 'HOST', help: 'record that the merchant requests it; it is not accepted yet' },
    approve: { value: 'HOST', help: 'accept it from now on' },
    remove: { value: 'HOST', help: 'accept it no longer' },
  },
  run: changeSite,
}

async function changeSite({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const [ask, approve, remove] = [given.text('ask'), given.text('approve'), given.text('remove')].map(read)
  if ([ask, approve, remove].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('give exactly one of --ask, --approve and --remove', website)
  const db = await tools.database()
  if (ask !== undefined) await askForWebsite(db, merNo, ask)
  if (approve !== undefined) await approveWebsite(db, merNo, approve, tools.clock.now())
  if (remove !== undefined) await removeWebsite(db, merNo, remove)
  return showMerchant(tools, merNo)
}

function read(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const host = readSite(text)
  if (host === undefined)
    throw new OperatorRefusal(`${text} is not a website: give host, host:port or *.host`)
  return host
}
