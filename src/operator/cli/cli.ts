// The command line for operators and for the developers of a shop: `npm run --silent tollgate -- COMMAND … [--json]`.
// Standard output has only the result. With --json, the result is one JSON document, also for a refusal (`listen`
// prints one document per line). All other output goes to standard error.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { findPlatformKey } from '../../money/merchants/platform-key.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { OperatorRefusal, SettingError } from '../../platform/errors/catalogue.ts'
import { type OpenDatabase, openDatabase } from '../../platform/runtime/open-database.ts'
import { auditedTools } from './audited-tools.ts'
import { bridgeCommands } from './channels/bridge.ts'
import { channelCommands } from './channels/channel.ts'
import { type Command, type CommandGroup, type Result, type Tools, UsageError } from './command.ts'
import { doctorCommands } from './installation/doctor.ts'
import { goliveCommands } from './installation/golive.ts'
import { platformCommands } from './installation/platform.ts'
import { referenceCommands } from './installation/reference.ts'
import { searchCommands } from './installation/search.ts'
import { userCommands } from './installation/user.ts'
import { examCommands } from './integration/exam.ts'
import { listenCommands } from './integration/listen.ts'
import { payCommands } from './integration/pay.ts'
import { signCommands } from './integration/sign.ts'
import { triggerCommands } from './integration/trigger.ts'
import { feePlanCommands } from './merchants/fee-plan.ts'
import { linkCommands } from './merchants/link.ts'
import { merchantCommands } from './merchants/merchant.ts'
import { notifyCommands } from './merchants/notify.ts'
import { approvalCommands } from './money/approval.ts'
import { chargebackCommands } from './money/chargeback.ts'
import { explainCommands } from './money/explain.ts'
import { fxCommands } from './money/fx.ts'
import { ledgerCommands } from './money/ledger.ts'
import { outcomeCommands } from './money/outcome.ts'
import { payoutCommands } from './money/payout.ts'
import { reconcileCommands } from './money/reconcile.ts'
import { refundCommands } from './money/refund.ts'
import { reviewCommands } from './money/review.ts'
import { riskCommands } from './money/risk.ts'
import { settleCommands } from './money/settle.ts'
import { statementCommands } from './money/statement.ts'
import { suspenseCommands } from './money/suspense.ts'
import { findCommand, parseCall, usageOf, usageOfAll } from './parse.ts'

/** The groups of the help: first the commands of a shop's developer, then those of operators, by task. */
const groups: readonly CommandGroup[] = [
  {
    title: 'For developers of a shop',
    commands: [
      ...payCommands,
      ...listenCommands,
      ...triggerCommands,
      ...examCommands,
      ...explainCommands,
      ...signCommands,
    ],
  },
  {
    title: 'Orders and money',
    commands: [
      ...refundCommands,
      ...payoutCommands,
      ...chargebackCommands,
      ...reviewCommands,
      ...outcomeCommands,
      ...suspenseCommands,
      ...approvalCommands,
    ],
  },
  { title: 'Risk', commands: riskCommands },
  { title: 'Notifications', commands: notifyCommands },
  { title: 'Merchants', commands: [...merchantCommands, ...feePlanCommands, ...linkCommands] },
  {
    title: 'Books',
    commands: [
      ...settleCommands,
      ...fxCommands,
      ...ledgerCommands,
      ...statementCommands,
      ...reconcileCommands,
    ],
  },
  { title: 'Channels', commands: [...channelCommands, ...bridgeCommands] },
  { title: 'People', commands: userCommands },
  {
    title: 'Installation',
    commands: [
      ...doctorCommands,
      ...goliveCommands,
      ...platformCommands,
      ...referenceCommands,
      ...searchCommands,
    ],
  },
]

export const commands: readonly Command[] = groups.flatMap((group) => group.commands)

/** The process of the caller. Tests pass a substitute. */
type CallerProcess = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
  readonly stderr: Writable
}

const switches = ['--json', '--help', '-h']
if (import.meta.main) process.exitCode = await runCli(process.argv.slice(2), process)

/** Runs a command. Returns the exit status: 0 for success, 1 for a failure or a found problem, 2 for wrong usage. */
export async function runCli(typed: readonly string[], caller: CallerProcess): Promise<number> {
  const asJson = typed.includes('--json')
  const wantsHelp = typed.includes('--help') || typed.includes('-h')
  const args = typed.filter((arg) => !switches.includes(arg))
  try {
    const result = wantsHelp ? help(args) : await run(args, asJson, caller)
    if (asJson || result.text !== '') print(caller, asJson ? JSON.stringify(result.json) : result.text)
    return result.status ?? 0
  } catch (error) {
    if (asJson) print(caller, JSON.stringify({ error: sentence(error) }))
    return explainFailure(error, caller)
  }
}

function help(args: readonly string[]): Result {
  const text = args.length === 0 ? usageOfAll(groups) : usageOf(findCommand(commands, args).command)
  return { json: { usage: text }, text }
}

async function run(args: readonly string[], asJson: boolean, caller: CallerProcess): Promise<Result> {
  const { command, rest } = findCommand(commands, args)
  const call = parseCall(command, rest)
  const opened: OpenDatabase[] = []
  const tools = makeTools(opened, asJson, caller)
  try {
    return await command.run({ ...call, tools: command.audit ? auditedTools(command, call, tools) : tools })
  } finally {
    for (const database of opened) await database.close()
  }
}

function makeTools(opened: OpenDatabase[], asJson: boolean, caller: CallerProcess): Tools {
  const sayToCaller = (line: string) => say(caller, line)
  let config: Config | undefined
  let found: Promise<OpenDatabase> | undefined
  const readOnce = () => {
    config ??= readConfig(caller.env, 'command')
    return config
  }
  const open = async () => {
    const database = await openDatabase(readOnce(), sayToCaller, 'command')
    opened.push(database)
    return database
  }
  const database = async () => {
    found ??= open()
    return (await found).db
  }
  return {
    clock: systemClock,
    config: readOnce,
    database,
    async vault() {
      const db = await database()
      const vault = openVault(readOnce().masterKey)
      await findPlatformKey(db, vault)
      return vault
    },
    at: (env) => makeTools(opened, asJson, { ...caller, env: { ...caller.env, ...env } }),
    asJson,
    print: (text) => printPart(caller, text),
    say: sayToCaller,
  }
}

function explainFailure(error: unknown, caller: CallerProcess): 1 | 2 {
  say(caller, sentence(error))
  if (error instanceof UsageError) {
    const { helpOn } = error
    if (helpOn !== 'none') say(caller, `\n${helpOn === 'all' ? usageOfAll(groups) : usageOf(helpOn)}`)
    return 2
  }
  const isExpected = error instanceof OperatorRefusal || error instanceof SettingError
  if (!isExpected && caller.env.TOLLGATE_LOG_LEVEL === 'debug') console.error(error)
  return 1
}

function sentence(error: unknown): string {
  // If a host has several addresses, a failed connection throws an AggregateError, which has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(sentence).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function print({ stdout }: CallerProcess, text: string): void {
  stdout.write(`${text}\n`)
}

/** Prints a part and waits for a slow reader, so that a long result never piles up in memory. */
async function printPart({ stdout }: CallerProcess, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain')
}

function say({ stderr }: CallerProcess, line: string): void {
  stderr.write(`${line}\n`)
}
