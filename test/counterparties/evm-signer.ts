// The signer of examples/evm-signer as a process that listens at a socket. The process runs beside the packages that it
// needs.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { HDKey } from '@scure/bip32'
import { openAddressBook } from '../../src/rails/toolkit/formats/chain-address.ts'

export type EvmSigner = {
  readonly from: string
  readonly socket: string
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

/** Opens a signer that signs every request. */
export function openEvmSigner(folder: string): EvmSigner {
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(98)).derive("m/44'/60'/0'")
  const keyFile = join(folder, 'key')
  const socket = join(folder, 'signer.sock')
  const program = `test/counterparties/evm/node_modules/.sign-${process.pid}.mjs`
  writeFileSync(keyFile, `0x${Buffer.from(account.derive('m/0/0').privateKey ?? []).toString('hex')}\n`)
  cpSync('examples/evm-signer/sign.mjs', program)
  let child: ChildProcess | undefined

  async function stop(): Promise<void> {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  return {
    from: openAddressBook(account.publicExtendedKey).at(0) ?? '',
    socket,
    stop,
    async start() {
      child = spawn(process.execPath, [program, '--socket', socket, keyFile, '--all'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      assert.ok(child.stderr)
      const [line] = await once(createInterface(child.stderr), 'line')
      assert.match(String(line), /^signs for 0x/)
    },
    async close() {
      await stop()
      rmSync(program, { force: true })
    },
  }
}
