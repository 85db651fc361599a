import express from 'express'
import { handlers, port, ready } from './handlers.js'

const app = express()
app.post('/notify', handlers.express)
app.use(express.json())
app.use(express.urlencoded())
app.listen(port, '127.0.0.1', ready)
