// The texts that an operator reads when the gateway starts or fails to start.

import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { SettingError } from '../errors/catalogue.ts'

/**
 * Explains a failed start: a wrong setting by one sentence, a bug by its stack. At the log level debug the stack is
 * always shown.
 */
export function explainFailedStart(error: unknown): void {
  const isDebugging = process.env.TOLLGATE_LOG_LEVEL === 'debug'
  if (!(error instanceof SettingError) || isDebugging) console.error(error)
  else console.error(`Tollgate does not start: ${error.message.replace(/\.$/, '')}.`)
}

export function readyLine({ mode, baseUrl }: Config): string {
  return `ready: ${mode} gateway at ${baseUrl}`
}

/** The first steps, which a start shows if it has created the demo merchant. */
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

export function releaseVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}
