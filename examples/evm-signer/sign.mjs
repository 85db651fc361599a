// A starter signer for the protocol evm (docs/channels/evm.md): shows each transfer that waits in FOLDER/unsigned, asks, and
// answers in FOLDER/signed. It never talks to the network, so it can run on a machine without one.
//
//   npm install micro-eth-signer
//   node sign.mjs FOLDER KEYFILE          asks about each transfer
//   node sign.mjs FOLDER KEYFILE --all    signs all that are within the limits below
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { addr, Transaction } from 'micro-eth-signer'

/** The most that one transaction may cost in fees, in wei. */
const MAX_FEE = 10n ** 16n

const [folder, keyFile, mode] = process.argv.slice(2)
if (keyFile === undefined) throw new Error('usage: node sign.mjs FOLDER KEYFILE [--all]')
const key = readFileSync(keyFile, 'utf8').trim()
const address = addr.fromPrivateKey(key)
const terminal = createInterface({ input: process.stdin, output: process.stderr })

const answered = new Set(readdirSync(join(folder, 'signed')))
const waiting = readdirSync(join(folder, 'unsigned')).filter((name) => name.endsWith('.json'))
for (const name of waiting.sort()) {
  if (answered.has(name)) continue
  const request = JSON.parse(readFileSync(join(folder, 'unsigned', name), 'utf8'))
  const problem = problemWith(request)
  if (problem !== undefined) {
    console.error(`${request.id}: ${problem}`)
    continue
  }
  const word =
    mode === '--all' ? 'y' : await terminal.question(`${request.pays}: sign (y), refuse (r), later? `)
  if (word === 'y') answer(name, { raw: sign(request) })
  if (word === 'r') answer(name, { refused: 'Refused by the signer' })
}
terminal.close()

function problemWith(request) {
  if (request.from !== address) return `it is for the account ${request.from}, the key is of ${address}`
  if (BigInt(request.gas) * BigInt(request.maxFeePerGas) > MAX_FEE) return 'its fee is above the limit'
  return undefined
}

function sign({ chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas }) {
  const transaction = Transaction.prepare({
    type: 'eip1559',
    chainId: BigInt(chainId),
    nonce: BigInt(nonce),
    to,
    value: BigInt(value),
    data: data === '0x' ? '' : data,
    gasLimit: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  })
  return transaction.signBy(key).toHex()
}

/** Renamed into place, so that the gateway never reads half a file. */
function answer(name, content) {
  const temporary = join(folder, 'signed', `${name}.tmp`)
  writeFileSync(temporary, `${JSON.stringify(content)}\n`, { flush: true })
  renameSync(temporary, join(folder, 'signed', name))
}
