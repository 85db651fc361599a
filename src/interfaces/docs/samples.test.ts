import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { samplesBlock, samplesOf } from './samples.ts'
import { standIns, valuesFor } from './values.ts'

const later = { isFirst: false, root: '../' }
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

  it('are shown escaped, with the settings that they read above them', () => {
    const demo = { merNo: 5, key: 'secret', site: 'localhost' }
    const gateway = { sandbox: true, isLocal: true, baseUrl: 'http://localhost:8080' }
    const values = valuesFor(gateway, demo, 'localhost:8080')
    const { html } = samplesBlock(samplesOf(folder, 'pay'), values, { isFirst: true, root: '../' })
    assert.doesNotMatch(html, /<script>/)
    assert.match(html, /<details class="environment" open>/)
    assert.match(html, /<a href="\.\.\/docs\/examples\/curl\/pay\.sh">pay\.sh<\/a>/)
    assert.match(html, /<a href="\.\.\/docs\/examples\/java">all files in Java<\/a>/)
    assert.match(html.replace(/<[^>]+>/g, ''), /export TOLLGATE_KEY=secret/)
  })

  it('say where the key is if it is not shown, and nothing of a demo in live', () => {
    const { html } = samplesBlock(samplesOf(folder, 'pay'), standIns(true, 'https://pay.example'), later)
    assert.match(html, /demo\.json/)
    const live = samplesBlock(samplesOf(folder, 'pay'), standIns(false, 'https://pay.example'), later)
    assert.doesNotMatch(live.html, /TOLLGATE_KEY|demo/)
  })
})
