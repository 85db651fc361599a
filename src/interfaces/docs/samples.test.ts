import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { samplesBlock, samplesOf } from './samples.ts'
import { standIns, valuesFor } from './values.ts'

const first = () => ({ shown: new Set<string>(), root: '../' })
const later = () => ({ shown: new Set(['examples/go/refund.go']), root: '../' })
let place: string
let folder: URL

before(() => {
  place = mkdtempSync(join(tmpdir(), 'samples-'))
  folder = pathToFileURL(`${place}/`)
  const files = {
    'go/pay.go': 'package main\n',
    'java/Pay.java': 'class Pay {}\n',
    'java/RsaSign.java': 'class RsaSign {}\n',
    'python/rsa_sign.py': 'import base64\n',
    'python/query.py': 'import sys\nfrom tollgate import call\n',
    'python/tollgate.py': 'import sys\nfrom sign import md5_sign\n',
    'python/sign.py': 'md5_sign = 0\n',
    'typescript/checkout.ts': "import { Tollgate } from '@tollgate/sdk'\n",
    'curl/pay.sh': '#!/bin/sh\necho "<script>"\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), text)
  }
})
after(() => rmSync(place, { recursive: true }))

describe('samples', () => {
  it('are found in the order of the languages, however a language spells the name', () => {
    const names = (task: string) => samplesOf(folder, task).map(({ name }) => name)
    assert.deepEqual(names('pay'), ['curl', 'Java', 'Go'])
    assert.deepEqual(names('rsa-sign'), ['Python', 'Java'])
    assert.deepEqual(names('nothing'), [])
  })

  it('name and show the files that they import, each once on a page, and the commands that run them', () => {
    const samples = samplesOf(folder, 'query')
    assert.deepEqual([...(samples[0]?.helpers.keys() ?? [])], ['tollgate.py', 'sign.py'])
    const place = first()
    const { html } = samplesBlock(samples, standIns(true, 'http://127.0.0.1:8080'), place)
    const text = html.replace(/<[^>]+>/g, '')
    assert.match(text, /Save this as query\.py\. It needs tollgate\.py and sign\.py in the same folder\./)
    const address = 'http://127.0.0.1:8080/docs/examples/python'
    const commands = `curl -fsSO ${address}/tollgate.py\ncurl -fsSO ${address}/sign.py\npython3 query.py ORDER\n`
    assert.ok(text.includes(commands.trim()), text)
    assert.equal(html.match(/<summary>(tollgate|sign)\.py<\/summary>/g)?.length, 2)
    const again = samplesBlock(samplesOf(folder, 'query'), standIns(true, 'http://127.0.0.1:8080'), place)
    assert.doesNotMatch(again.html, /<summary>(tollgate|sign)\.py/)
  })

  it('install the SDK that this gateway serves', () => {
    const { html } = samplesBlock(
      samplesOf(folder, 'checkout'),
      standIns(true, 'https://pay.example'),
      first(),
    )
    const { version } = JSON.parse(
      readFileSync(new URL('../../../sdk/package.json', import.meta.url), 'utf8'),
    )
    const command = `npm install --silent https://pay.example/downloads/tollgate-sdk-${version}.tgz\n`
    assert.ok(html.replace(/<[^>]+>/g, '').includes(command), html)
  })

  it('are shown escaped, with the settings that they read above them', () => {
    const demo = { merNo: 5, key: 'secret', site: 'localhost' }
    const gateway = { sandbox: true, isLocal: true, baseUrl: 'http://localhost:8080' }
    const values = valuesFor(gateway, demo, 'localhost:8080')
    const { html } = samplesBlock(samplesOf(folder, 'pay'), values, first())
    assert.doesNotMatch(html, /<script>/)
    assert.match(html, /<details class="environment" open>/)
    assert.match(html, /<a href="\.\.\/docs\/examples\/curl\/pay\.sh">pay\.sh<\/a>/)
    assert.match(html, /<a href="\.\.\/docs\/examples\/java">All files in Java<\/a>/)
    assert.match(html.replace(/<[^>]+>/g, ''), /export TOLLGATE_KEY=secret/)
  })

  it('say where the key is if it is not shown, and nothing of a demo in live', () => {
    const { html } = samplesBlock(samplesOf(folder, 'pay'), standIns(true, 'https://pay.example'), later())
    assert.match(html, /demo\.json/)
    const live = samplesBlock(samplesOf(folder, 'pay'), standIns(false, 'https://pay.example'), later())
    assert.doesNotMatch(live.html, /TOLLGATE_KEY|demo/)
  })
})
