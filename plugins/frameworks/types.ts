// What a shop in TypeScript writes: the handlers have the types that each framework asks for. plugins/test/frameworks.test.ts
// compiles it.
import { createServer } from 'node:http'
import { notificationHandlers } from '@tollgate/sdk'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import type { NextRequest } from 'next/server.js'

const handlers = notificationHandlers({ key: process.env.TOLLGATE_KEY ?? '' }, () => {})

createServer(handlers.node)
express().post('/notify', handlers.express)
fastify().register(handlers.fastify('/notify'))
new Hono().post('/notify', handlers.hono)
export const POST: (request: NextRequest) => Promise<Response> = handlers.next
