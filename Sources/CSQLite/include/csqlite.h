/* The part of SQLite 3 that is used here. Its interface is stable: https://www.sqlite.org/c3ref/intro.html */
#ifndef CSQLITE_H
#define CSQLITE_H

#include <library.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef long long int sqlite3_int64;
typedef unsigned long long int sqlite3_uint64;
typedef void (*sqlite3_destructor_type)(void *);

#define SQLITE_OK 0
#define SQLITE_ERROR 1
#define SQLITE_PERM 3
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_NOMEM 7
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_SCHEMA 17
#define SQLITE_TOOBIG 18
#define SQLITE_CONSTRAINT 19
#define SQLITE_MISMATCH 20
#define SQLITE_MISUSE 21
#define SQLITE_AUTH 23
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101

#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_BLOB 4
#define SQLITE_UTF8 1
#define SQLITE_OPEN_READONLY 1
#define SQLITE_OPEN_READWRITE 2
#define SQLITE_OPEN_NOMUTEX 0x8000
#define SQLITE_PREPARE_PERSISTENT 1
#define SQLITE_LIMIT_LENGTH 0
#define SQLITE_DBCONFIG_ENABLE_TRIGGER 1003
#define SQLITE_DBCONFIG_DEFENSIVE 1010
#define SQLITE_DBCONFIG_DQS_DML 1013
#define SQLITE_DBCONFIG_ENABLE_VIEW 1015
#define SQLITE_DBCONFIG_TRUSTED_SCHEMA 1017

#define CSQLITE_FUNCTIONS(with)                                                                                      \
	with(const char *, sqlite3_libversion, (void), ())                                                           \
	with(int, sqlite3_open_v2,                                                                                   \
	     (const char *name, sqlite3 **database, int flags, const char *vfs), (name, database, flags, vfs))       \
	with(int, sqlite3_close_v2, (sqlite3 *database), (database))                                                 \
	with(int, sqlite3_errcode, (sqlite3 *database), (database))                                                  \
	with(int, sqlite3_extended_errcode, (sqlite3 *database), (database))                                         \
	with(int, sqlite3_extended_result_codes, (sqlite3 *database, int on), (database, on))                        \
	with(int, sqlite3_system_errno, (sqlite3 *database), (database))                                             \
	with(const char *, sqlite3_errmsg, (sqlite3 *database), (database))                                          \
	with(const char *, sqlite3_errstr, (int code), (code))                                                       \
	with(int, sqlite3_busy_timeout, (sqlite3 *database, int milliseconds), (database, milliseconds))             \
	with(int, sqlite3_limit, (sqlite3 *database, int limit, int value), (database, limit, value))                \
	with(int, sqlite3_db_readonly, (sqlite3 *database, const char *name), (database, name))                      \
	with(void, sqlite3_progress_handler,                                                                         \
	     (sqlite3 *database, int steps, int (*handler)(void *), void *context),                                  \
	     (database, steps, handler, context))                                                                    \
	with(int, sqlite3_get_autocommit, (sqlite3 *database), (database))                                           \
	with(int, sqlite3_changes, (sqlite3 *database), (database))                                                  \
	with(int, sqlite3_exec,                                                                                      \
	     (sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char     \
	      **error), (database, sql, row, context, error))                                                        \
	with(int, sqlite3_prepare_v3,                                                                                \
	     (sqlite3 *database, const char *sql, int bytes, unsigned flags, sqlite3_stmt **statement, const char    \
	      **tail), (database, sql, bytes, flags, statement, tail))                                               \
	with(int, sqlite3_finalize, (sqlite3_stmt *statement), (statement))                                          \
	with(sqlite3 *, sqlite3_db_handle, (sqlite3_stmt *statement), (statement))                                   \
	with(int, sqlite3_step, (sqlite3_stmt *statement), (statement))                                              \
	with(int, sqlite3_reset, (sqlite3_stmt *statement), (statement))                                             \
	with(int, sqlite3_clear_bindings, (sqlite3_stmt *statement), (statement))                                    \
	with(int, sqlite3_bind_null, (sqlite3_stmt *statement, int index), (statement, index))                       \
	with(int, sqlite3_bind_int64,                                                                                \
	     (sqlite3_stmt *statement, int index, sqlite3_int64 value), (statement, index, value))                   \
	with(int, sqlite3_bind_double,                                                                               \
	     (sqlite3_stmt *statement, int index, double value), (statement, index, value))                          \
	with(int, sqlite3_bind_text,                                                                                 \
	     (sqlite3_stmt *statement, int index, const char *text, int bytes, sqlite3_destructor_type free),        \
	     (statement, index, text, bytes, free))                                                                  \
	with(int, sqlite3_bind_text64,                                                                               \
	     (sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes, sqlite3_destructor_type    \
	      free, unsigned char encoding), (statement, index, text, bytes, free, encoding))                        \
	with(int, sqlite3_column_count, (sqlite3_stmt *statement), (statement))                                      \
	with(int, sqlite3_column_type, (sqlite3_stmt *statement, int column), (statement, column))                   \
	with(int, sqlite3_column_bytes, (sqlite3_stmt *statement, int column), (statement, column))                  \
	with(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt *statement, int column), (statement, column))        \
	with(double, sqlite3_column_double, (sqlite3_stmt *statement, int column), (statement, column))              \
	with(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *statement, int column), (statement, column))

CSQLITE_FUNCTIONS(LIBRARY_CALL)

/* Loads the library. NULL if it is loaded, or why it cannot be loaded. */
const char *csqlite_load(void);

/* A database may come from anybody. It cannot call functions from its schema, run triggers, or write to the schema as to
 * any table. And "name" is a column or an error, never a text. What a version does not know is left as it is. */
void csqlite_distrust(sqlite3 *database);

#endif
