// Installs the chain for the tests that need one. The chain is a separate package, so that users of the gateway do not
// download it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const chainHome = fileURLToPath(new URL('evm/', import.meta.url))

export function needsChain(file: string): boolean {
  return /evm-(chain|watch)\.ts'/.test(readFileSync(file, 'utf8'))
}

/** Makes sure that the chain is installed. */
export function provideChain(say: (line: string) => void): void {
  if (existsSync(join(chainHome, 'node_modules', '.package-lock.json'))) return
  say('the tests on a chain need one: installing it with npm ci')
  // With a Node that is too old for the chain, npm leaves out the chain's program for this platform.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: chainHome,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0)
    throw new Error(`npm ci in test/counterparties/evm ended with ${status}: run it there by hand`)
}
