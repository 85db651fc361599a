// `npm run demo` as a program: with a gateway that runs, and with one that it starts and stops itself.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { methodWays, type OtherMethod, otherMethods } from '../../shop/methods.ts'
import { currencies } from '../../shop/prices.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'

const program = fileURLToPath(new URL('../../shop/main.ts', import.meta.url))

let installation: Installation
let settings: Readonly<Record<string, string>>
let gatewayUrl: string
let shopUrl: string
const children: ChildProcess[] = []

const database = useDatabase({
  async before() {
    const [port, shopPort] = [String(await freePort()), String(await freePort())]
    installation = await openInstallation({ DATABASE_URL: database.url, PORT: port })
    settings = {
      DATABASE_URL: database.url,
      PORT: port,
      SHOP_PORT: shopPort,
      TOLLGATE_DATA_DIR: installation.dataDir,
    }
    gatewayUrl = `http://127.0.0.1:${port}`
    shopUrl = `http://localhost:${shopPort}`
  },
  async after() {
    for (const child of children) child.kill('SIGKILL')
    await installation.remove()
  },
})

type Program = { readonly child: ChildProcess; output(): string }

function run(): Program {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|NODE_COMPILE_CACHE)$/.test(name))
  const child = spawn(process.execPath, [program], { env: { ...Object.fromEntries(kept), ...settings } })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return { child, output: () => printed }
}

async function untilReady({ child, output }: Program): Promise<void> {
  const isThere = await eventually(() => /^ready: demo shop/m.test(output()) || child.exitCode !== null)
  assert.ok(isThere && child.exitCode === null, output())
}

async function stop({ child }: Program): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return child.exitCode
}

const open = (address: string) => fetch(address, { redirect: 'manual' })
const answers = (address: string) =>
  open(address).then(
    ({ ok }) => ok,
    () => false,
  )

it('uses the gateway that runs, which leads to it, pays by every method, and leaves it running', async () => {
  const gateway = await installation.start()
  const closed = await open(`${gatewayUrl}/shop`)
  assert.deepEqual(
    { status: closed.status, saysWhy: /npm run demo/.test(await closed.text()) },
    { status: 503, saysWhy: true },
  )
  const shop = run()
  await untilReady(shop)
  assert.match(await (await open(shopUrl)).text(), /Things for a long walk/)
  const door = await open(`${gatewayUrl}/shop`)
  assert.deepEqual(
    { status: door.status, location: door.headers.get('location') },
    { status: 303, location: `${shopUrl}/` },
  )
  assert.match(await (await open(gatewayUrl)).text(), /href="shop"/)

  for (const method of otherMethods) {
    await assertPlaced(method, { way: method, ...answersTo(method) })
    await assertPlaced(`the page for ${method}`, { way: 'page', method })
  }
  for (const currency of currencies) await assertPlaced(currency, { way: 'page', currency })

  const second = run()
  await once(second.child, 'exit')
  assert.equal(second.child.exitCode, 1)
  assert.match(second.output(), /already listens there\. Set SHOP_PORT/)

  assert.equal(await stop(shop), 0)
  assert.equal((await open(`${gatewayUrl}/shop`)).status, 503)
  assert.equal(await gateway.stop(), 0)
})

/** The answers that the form suggests. */
function answersTo(method: OtherMethod): Record<string, string> {
  return Object.fromEntries(methodWays[method].asks.map(({ name, value }) => [name, value]))
}

async function assertPlaced(what: string, form: Readonly<Record<string, string>>): Promise<void> {
  const number = `S-${randomBytes(9).toString('hex').toUpperCase()}`
  const headers = { cookie: 'shop_cart=MUG.1' }
  const body = new URLSearchParams({ number, ...form })
  await fetch(`${shopUrl}/checkout`, { method: 'POST', headers, body, redirect: 'manual' })
  assert.match(await (await open(`${shopUrl}/orders/${number}`)).text(), /Waiting for your payment/, what)
}

it('starts a gateway if none runs, and stops it', async () => {
  const shop = run()
  await untilReady(shop)
  assert.ok((await answers(shopUrl)) && (await answers(gatewayUrl)))
  assert.equal(await stop(shop), 0, shop.output())
  assert.deepEqual(
    { shop: await answers(shopUrl), gateway: await answers(gatewayUrl) },
    { shop: false, gateway: false },
  )
})
