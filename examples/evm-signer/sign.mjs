// A starter signer for the protocol evm (docs/channels/evm.md). It shows each transfer that the gateway asks for, asks you, and
// answers: in a folder, or over a socket. It never talks to the chain; with a folder it can run on a machine without a network.
//
//   npm install micro-eth-signer
//   node sign.mjs FOLDER KEYFILE              answers what waits in FOLDER/unsigned, then ends
//   node sign.mjs --socket PATH KEYFILE       listens at PATH until it is stopped
//   with --all                                signs all that are within the limits below, and asks nobody
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createInterface as openTerminal } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { addr, Transaction } from 'micro-eth-signer'

/** The most that one transaction may cost in fees, in wei. */
const MAX_FEE = 10n ** 16n

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, socket: { type: 'string' } },
  allowPositionals: true,
})
const keyFile = positionals.at(-1)
if (positionals.length !== (values.socket === undefined ? 2 : 1))
  throw new Error('usage: node sign.mjs FOLDER|--socket PATH KEYFILE [--all]')
const key = readFileSync(keyFile, 'utf8').trim()
const address = addr.fromPrivateKey(key)
const terminal = openTerminal({ input: process.stdin, output: process.stderr })

if (values.socket === undefined) await answerFolder(positionals[0])
else listen(values.socket)

async function answerFolder(folder) {
  const answered = new Set(readdirSync(join(folder, 'signed')))
  const waiting = readdirSync(join(folder, 'unsigned')).filter((name) => name.endsWith('.json'))
  for (const name of waiting.sort()) {
    if (answered.has(name)) continue
    const answer = await decide(JSON.parse(readFileSync(join(folder, 'unsigned', name), 'utf8')))
    if (answer !== undefined) write(folder, name, answer)
  }
  terminal.close()
}

/** Renamed into place, so that the gateway never reads half a file. */
function write(folder, name, answer) {
  const temporary = join(folder, 'signed', `${name}.tmp`)
  writeFileSync(temporary, `${JSON.stringify(answer)}\n`, { flush: true })
  renameSync(temporary, join(folder, 'signed', name))
}

/**
 * One request and one answer in each line. Every user who can open the socket can ask: keep it in a folder of the
 * gateway's group.
 */
function listen(path) {
  const answers = new Map()
  let turn = Promise.resolve()
  const server = createServer((connection) => {
    connection.on('error', () => {})
    const answerLine = async (line) => {
      const request = JSON.parse(line)
      const { id } = request
      // The gateway asks again after a restart: it gets the answer that it had.
      if (!answers.has(id)) answers.set(id, isCheck(request) ? { signs: address } : await decide(request))
      const answer = answers.get(id)
      if (answer === undefined) answers.delete(id)
      else connection.write(`${JSON.stringify({ id, ...answer })}\n`)
    }
    createInterface({ input: connection }).on('line', (line) => {
      turn = turn.then(() => answerLine(line)).catch(() => connection.destroy())
    })
  })
  rmSync(path, { force: true })
  process.umask(0o007)
  server.listen(path, () => console.error(`signs for ${address} at ${path}`))
}

/** `channel check` asks for the account only. */
function isCheck({ pays }) {
  return pays === undefined
}

async function decide(request) {
  const problem = problemWith(request)
  if (problem !== undefined) {
    console.error(`${request.id}: ${problem}`)
    return undefined
  }
  const word = values.all ? 'y' : await terminal.question(`${request.pays}: sign (y), refuse (r), later? `)
  if (word === 'y') return { raw: sign(request) }
  return word === 'r' ? { refused: 'Refused by the signer' } : undefined
}

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
