import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SettingError } from '../errors/catalogue.ts'
import { assetsFolder, checkManifest, hashOf, hashScripts, integrityOf, scriptManifest } from './manifest.ts'
import { html, renderPage } from './page.ts'

describe('the manifest of scripts', () => {
  it('lists the hash of every script (after a change: npm run manifest)', () => {
    assert.deepEqual(scriptManifest(), hashScripts(assetsFolder))
    assert.match(integrityOf('pay.js'), /^sha384-[A-Za-z0-9+/]{64}$/)
  })

  it('prevents a start if a script differs, is missing or is not listed', () => {
    const listed = { 'pay.js': hashOf('one') }
    const found = [{ 'pay.js': hashOf('two') }, {}, { ...listed, 'more.js': hashOf('more') }]
    const said = [/pay\.js is not the one/, /pay\.js is missing/, /more\.js is not in the manifest/]
    for (const [at, scripts] of found.entries())
      assert.throws(
        () => checkManifest(listed, scripts),
        (error) => error instanceof SettingError && (said[at]?.test(error.message) ?? false),
      )
    assert.equal(checkManifest(listed, { 'pay.js': hashOf('one') }), listed)
  })

  it('provides the integrity hash of every script tag', () => {
    const page = renderPage({ title: '', sandbox: true, assets: 'x', step: html`` })
    const tags = page.match(/<script[^>]*>/g)
    const tagFor = (name: string) => `<script src="x/${name}" integrity="${integrityOf(name)}" defer>`
    assert.deepEqual(tags, ['fields.js', 'pay.js'].map(tagFor))
  })
})
