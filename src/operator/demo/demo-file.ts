// demo.json in the data folder: everything that people and programs need to try the sandbox. The file contains secrets,
// so only its owner can read it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closeToOthers, replaceSecret } from '../../platform/base/secret-file.ts'

type SignIn = { readonly email: string; readonly password: string }

export type Demo = {
  readonly baseUrl: string
  readonly merNo: number
  readonly key: string
  readonly webhookSecret: string
  /** The merchant's website, for the Referer header. */
  readonly site: string
  /** The operator's sign-in. `totpSecret` is in base 32, the format of authenticator apps. */
  readonly operator: SignIn & { readonly totpSecret: string }
  readonly merchantUser: SignIn
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** Reads demo.json. Undefined if the file is missing or malformed. */
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

/** Replaces a secret in demo.json. Returns false if the file is missing or of another merchant. */
export async function updateDemo(
  dataDir: string,
  merNo: number,
  secret: Partial<Pick<Demo, 'key' | 'webhookSecret'>>,
): Promise<boolean> {
  const demo = await readDemo(dataDir)
  if (demo?.merNo !== merNo) return false
  writeDemo(dataDir, { ...demo, ...secret })
  return true
}
