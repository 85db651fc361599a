// demo.json in the data folder: what a person or a program needs to try the sandbox. It holds secrets, so it is for
// its owner's eyes only, and it is replaced whole.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closeToOthers, replaceSecret } from '../base/secret-file.ts'

type SignIn = { readonly email: string; readonly password: string }

export type Demo = {
  readonly baseUrl: string
  readonly merNo: number
  readonly key: string
  readonly webhookSecret: string
  /** The website that requests come from, for the Referer. */
  readonly site: string
  readonly operator: SignIn
  readonly merchantUser: SignIn
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** Undefined when there is none, or none that can be read as JSON. */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  try {
    const text = await readFile(demoFile(dataDir), 'utf8')
    closeToOthers(demoFile(dataDir))
    return JSON.parse(text)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}

export function writeDemo(dataDir: string, demo: Demo): void {
  replaceSecret(demoFile(dataDir), `${JSON.stringify(demo, undefined, 2)}\n`)
}
