import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { handlers, port, ready } from './handlers.js'

const app = new Hono()
app.post('/notify', handlers.hono)
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ready)
