// demo.json in the data folder: what a person or a program needs to try the sandbox. It holds secrets, so it is for
// its owner's eyes only, and it is replaced whole.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
    return JSON.parse(await readFile(demoFile(dataDir), 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}

export async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  const file = demoFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  const next = `${file}.${process.pid}`
  await writeFile(next, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
  await rename(next, file)
}
