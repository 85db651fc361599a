import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutChannel } from './settings.ts'

test('a message about a channel names the channel once', () => {
  assert.equal(aboutChannel('card', 'the key is wrong'), 'card: the key is wrong')
  assert.equal(aboutChannel('card', 'channel card: the key is wrong'), 'card: the key is wrong')
  assert.equal(aboutChannel('card', 'channel card-2: is there twice'), 'card: channel card-2: is there twice')
})
