import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../../test/harness/back-office.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

test('a view is its maker’s own until it is shared; colleagues use it, and only its maker changes it', async () => {
  const { merNo } = office.demo
  const [maker, colleague] = [await office.person(merNo, 'support'), await office.person(merNo, 'viewer')]
  const body = { name: 'Failed cards', query: 'state=6&method=card', columns: '', shared: false }
  const made = await maker.call('POST /views', { body })
  const { viewId } = made
  assert.deepEqual((await colleague.call('GET /views', {})).rows, [])
  const change = { ...body, shared: true, version: made.version }
  const changed = await maker.call('PUT /views/:viewId', { params: { viewId }, body: change })
  assert.equal(changed.version, 2)
  const [seen] = (await colleague.call('GET /views', {})).rows
  assert.deepEqual({ name: seen?.name, isOwn: seen?.isOwn }, { name: 'Failed cards', isOwn: false })
  const late = await maker.attempt('PUT /views/:viewId', { params: { viewId }, body: change })
  assert.equal(late.problem?.code, 'conflict')
  const foreign = await colleague.attempt('DELETE /views/:viewId', { params: { viewId } })
  assert.equal(foreign.problem?.code, 'refused')
  const stranger = await office.person(merNo + 1, 'owner')
  assert.equal(
    (await stranger.attempt('DELETE /views/:viewId', { params: { viewId } })).problem?.code,
    'not-found',
  )
  await maker.call('DELETE /views/:viewId', { params: { viewId } })
  assert.deepEqual((await maker.call('GET /views', {})).rows, [])
})
