import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openInstallation } from '../harness/gateway-process.ts'
import { cloneDatabase } from '../harness/harness.ts'

const tools = ['sh', 'node', 'curl', 'md5sum']
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)

test('the commands of the README make a payment, query it, and open a payment page', {
  skip: missing.length > 0 && `this machine has no ${missing.join(', ')}`,
}, async (t) => {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url })
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-readme-'))
  t.after(async () => {
    await installation.remove()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  await installation.start()
  symlinkSync(installation.dataDir, join(folder, 'data'))

  const pasted = spawnSync('sh', { cwd: folder, input: pastedBlocks(), encoding: 'utf8' })
  assert.equal(pasted.stderr, '')
  const [paid, queried, page] = pasted.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(paid.data?.payCode, 0, JSON.stringify(paid))
  assert.deepEqual(
    { state: queried.data?.state, tradeNo: queried.data?.tradeNo },
    { state: 3, tradeNo: paid.data.tradeNo },
    JSON.stringify(queried),
  )
  const opened = await fetch(page.data?.payUrl)
  assert.equal(opened.status, 200)
  assert.match(await opened.text(), /€24\.00/)
})

/** Returns the blocks that call the gateway. The command line has its own tests. */
function pastedBlocks(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks.filter((text) => text.includes('post /')).join('')
}
