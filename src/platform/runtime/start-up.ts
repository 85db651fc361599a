// The texts that an operator reads when the gateway starts or fails to start.
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'

/** An error that the operator can fix is one sentence. Only a bug shows its stack. */
export function explainFailedStart(error: unknown): void {
  const isDebugging = process.env.TOLLGATE_LOG_LEVEL === 'debug'
  if (!(error instanceof SettingError) || isDebugging) console.error(error)
  else console.error(`Tollgate does not start: ${error.message.replace(/\.$/, '')}.`)
}

export function readyLine({ mode, baseUrl }: Config): string {
  return `ready: ${mode} gateway at ${baseUrl}`
}

/** Shown by the start that created the demo merchant. */
export function firstSteps({ baseUrl, dataDir }: Config, demoFile: string): string {
  return `
This sandbox is new. What to do next:

  See what runs here      ${baseUrl}
  Make a payment          npm run --silent tollgate -- pay
  See every command       npm run --silent tollgate -- --help
  Send your own requests  README.md shows how; the demo merchant's keys are in ${demoFile}

Commands go into a second shell, in this folder and with the same settings. Ctrl-C ends the gateway; its data stays in ${dataDir}
`
}
