// The operator's command line: `npm run --silent tollgate -- COMMAND … [--json]`. Standard output carries only the
// result: with --json one JSON document, also for a refusal (`listen` prints one per line). Everything else goes to
// standard error.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { systemClock } from './base/clock.ts'
import { openVault } from './base/secret.ts'
import { approvalCommands } from './cli/approval.ts'
import { auditedTools } from './cli/audited-tools.ts'
import { bridgeCommands } from './cli/bridge.ts'
import { channelCommands } from './cli/channel.ts'
import { chargebackCommands } from './cli/chargeback.ts'
import { type Command, type Result, type Tools, UsageError } from './cli/command.ts'
import { doctorCommands } from './cli/doctor.ts'
import { examCommands } from './cli/exam.ts'
import { explainCommands } from './cli/explain.ts'
import { feePlanCommands } from './cli/fee-plan.ts'
import { fxCommands } from './cli/fx.ts'
import { goliveCommands } from './cli/golive.ts'
import { ledgerCommands } from './cli/ledger.ts'
import { linkCommands } from './cli/link.ts'
import { listenCommands } from './cli/listen.ts'
import { merchantCommands } from './cli/merchant.ts'
import { notifyCommands } from './cli/notify.ts'
import { outcomeCommands } from './cli/outcome.ts'
import { findCommand, parseCall } from './cli/parse.ts'
import { payCommands } from './cli/pay.ts'
import { payoutCommands } from './cli/payout.ts'
import { platformCommands } from './cli/platform.ts'
import { reconcileCommands } from './cli/reconcile.ts'
import { referenceCommands } from './cli/reference.ts'
import { refundCommands } from './cli/refund.ts'
import { reviewCommands } from './cli/review.ts'
import { riskCommands } from './cli/risk.ts'
import { searchCommands } from './cli/search.ts'
import { settleCommands } from './cli/settle.ts'
import { signCommands } from './cli/sign.ts'
import { statementCommands } from './cli/statement.ts'
import { suspenseCommands } from './cli/suspense.ts'
import { usageOf, usageOfAll } from './cli/usage.ts'
import { userCommands } from './cli/user.ts'
import { type Config, readConfig } from './config.ts'
import { OperatorRefusal, SettingError } from './errors/catalogue.ts'
import { findPlatformKey } from './merchants/platform-key.ts'
import { type OpenDatabase, openDatabase } from './runtime/open-database.ts'

export const commands: readonly Command[] = [
  ...merchantCommands,
  ...feePlanCommands,
  ...userCommands,
  ...platformCommands,
  ...fxCommands,
  ...settleCommands,
  ...channelCommands,
  ...bridgeCommands,
  ...chargebackCommands,
  ...linkCommands,
  ...riskCommands,
  ...referenceCommands,
  ...ledgerCommands,
  ...statementCommands,
  ...suspenseCommands,
  ...reconcileCommands,
  ...notifyCommands,
  ...listenCommands,
  ...examCommands,
  ...payoutCommands,
  ...outcomeCommands,
  ...approvalCommands,
  ...payCommands,
  ...refundCommands,
  ...reviewCommands,
  ...signCommands,
  ...explainCommands,
  ...searchCommands,
  ...doctorCommands,
  ...goliveCommands,
]

/** The part of a process that a call uses; tests bring their own. */
export type CallerProcess = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
  readonly stderr: Writable
}

const switches = ['--json', '--help', '-h']
if (import.meta.main) process.exitCode = await runCli(process.argv.slice(2), process)

/** The exit status: 0, 1 for a refusal, 2 for a call that no command takes. */
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
  const text = args.length === 0 ? usageOfAll(commands) : usageOf(findCommand(commands, args).command)
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
  const readOnce = () => {
    config ??= readConfig(caller.env)
    return config
  }
  const database = async () => {
    const found = opened[0] ?? (await openDatabase(readOnce(), sayToCaller, 'command'))
    if (opened.length === 0) opened.push(found)
    return found.db
  }
  return {
    clock: systemClock,
    config: readOnce,
    database,
    async vault() {
      const vault = openVault(readOnce().masterKey)
      await findPlatformKey(await database(), vault)
      return vault
    },
    asJson,
    print: (text) => printPart(caller, text),
    say: sayToCaller,
  }
}

function explainFailure(error: unknown, caller: CallerProcess): 1 | 2 {
  say(caller, sentence(error))
  if (error instanceof UsageError) {
    say(caller, `\n${error.command === undefined ? usageOfAll(commands) : usageOf(error.command)}`)
    return 2
  }
  const isExpected = error instanceof OperatorRefusal || error instanceof SettingError
  if (!isExpected && caller.env.TOLLGATE_LOG_LEVEL === 'debug') console.error(error)
  return 1
}

function sentence(error: unknown): string {
  // Connecting to several addresses fails with an AggregateError, which has no message.
  if (error instanceof AggregateError) return error.errors.map(sentence).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function print({ stdout }: CallerProcess, text: string): void {
  stdout.write(`${text}\n`)
}

/** Back-pressure: waits for a slow reader, so a long result never piles up in memory. */
async function printPart({ stdout }: CallerProcess, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain')
}

function say({ stderr }: CallerProcess, line: string): void {
  stderr.write(`${line}\n`)
}
