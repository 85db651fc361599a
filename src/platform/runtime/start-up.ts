// What an operator reads when the gateway starts or fails to start.

import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { SettingError } from '../errors/catalogue.ts'

/** One sentence for a wrong setting; the stack for a bug, or at the log level debug. */
export function explainFailedStart(error: unknown): void {
  const isDebugging = process.env.TOLLGATE_LOG_LEVEL === 'debug'
  if (!(error instanceof SettingError) || isDebugging) console.error(error)
  else console.error(`Tollgate does not start: ${error.message.replace(/\.$/, '')}.`)
}

export function readyLine({ mode, baseUrl }: Config): string {
  return `ready: ${mode} gateway at ${baseUrl}`
}

/** Shown by the start that has created the demo merchant. */
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
